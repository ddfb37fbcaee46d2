// What a draft leads to: intent, approach and tasks become the outcome's, where its owner has not written them meanwhile. Nothing begins
// from it unless the owner has started the outcome already.

import { nameObjective } from "../run/report/notification.ts";
import { advanceOutcome, isBeingDrafted } from "./advance-outcome.ts";
import type { Outcome } from "./outcome.ts";
import type { OutcomeDraft } from "./outcome-draft.ts";
import type { HomrWorld, OutcomeEffect, OutcomeMove, OutcomeState } from "./outcome-state.ts";
import { followedBy, logged } from "./state-changes.ts";
import { addTasks } from "./tasks/new-tasks.ts";
import type { OutcomeTask } from "./tasks/task.ts";
import { withTasks } from "./tasks/task-list.ts";

export function applyDraft(state: OutcomeState, draft: OutcomeDraft, world: HomrWorld): OutcomeMove {
  const { outcome } = state;
  // A person who has written a task or an intent meanwhile keeps it.
  if (outcome.nextNumber > 1 || outcome.intent.summary !== "")
    return { state, effects: [note("The draft came too late: the outcome has been written meanwhile")] };
  const name = hasOwnName(outcome) || draft.name === "" ? outcome.name : draft.name;
  const added = addTasks({ ...state, outcome: { ...outcome, name, intent: draft.intent } }, toTasks(draft), world);
  if (added === null) return missDraft(state, "it has too many tasks");
  const tasks = added.tasks.map((task, place) => ({ ...task, dependsOn: earlier(added.tasks, draft, place) }));
  const approach: readonly OutcomeEffect[] =
    outcome.approach === null
      ? [{ kind: "keep_approach", text: draft.approach, why: "Drafted from the brief", madeBy: "planner" }]
      : [];
  const kept = outcome.approach ?? { version: 1, text: draft.approach };
  const drafted = withTasks({ ...added.state, outcome: { ...added.state.outcome, approach: kept } }, tasks);
  const said = note(`Drafted intent, approach and ${tasks.length === 1 ? "1 task" : `${tasks.length} tasks`}`);
  return followedBy({ state: drafted, effects: [...approach, said] }, (after) => advanceOutcome(after, world));
}

/** False where the name was made from the first words of the brief. */
export const hasOwnName = ({ name, brief }: Pick<Outcome, "name" | "brief">): boolean => name !== nameObjective(brief);

const toTasks = ({ tasks }: OutcomeDraft) =>
  tasks.map(({ title, description }) => ({ title, description, madeBy: "planner" as const }));

const earlier = (tasks: readonly OutcomeTask[], draft: OutcomeDraft, place: number) =>
  (draft.tasks[place]?.after ?? []).flatMap((before) => tasks[before]?.id ?? []);

/** A draft that could not be made; its owner writes the outcome by hand. One that waits for the draft is paused, and its owner told. */
export function missDraft(state: OutcomeState, why: string): OutcomeMove {
  const { outcome } = state;
  const said = `The draft could not be made: ${why}. Write intent and tasks yourself`;
  if (outcome.status !== "active" || !isBeingDrafted(state)) return { state, effects: [note(`${said}.`)] };
  return {
    state: { ...state, outcome: { ...outcome, status: "paused" } },
    effects: [note(`${said}, then resume it.`), { kind: "notify_owner", about: "stopped", id: outcome.id }],
  };
}

const note = (summary: string): OutcomeEffect =>
  logged({ type: "supervision", taskId: null, cause: { kind: "supervision" }, summary, details: {} });
