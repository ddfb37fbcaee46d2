// A task that is too big is done in parts. A task at the end verifies them together: it has the checks of the whole, and what waited
// for the whole waits for it.

import { assert } from "../../../lib/assert.ts";
import { type Commanded, carryOn, edited, findUnsettled, logCommand, refuse } from "../commands/command.ts";
import { dropTask, noRoom } from "../commands/task-commands.ts";
import type { Audience } from "../context/context.ts";
import type { HomrWorld, OutcomeState } from "../outcome-state.ts";
import { type AddedTasks, addTasks, hasRoomFor, type NewTask } from "./new-tasks.ts";
import { hasOpenGate } from "./pick-tasks.ts";
import { isSettledTask, type OutcomeTask, splitDepthMax } from "./task.ts";
import type { TaskId } from "./task-id.ts";
import { splitPartsMax } from "./task-limits.ts";
import { listNumbers, nameTask, shorten, withTasks } from "./task-list.ts";

const titleMax = 300;

export type Split = {
  readonly taskId: TaskId;
  readonly parts: readonly Pick<NewTask, "title" | "description">[];
  /** Each part waits for the one before it; otherwise several workers may take them at once. */
  readonly isInOrder: boolean;
  readonly madeBy: OutcomeTask["madeBy"];
  /** The parts hold words that may be a stranger's. */
  readonly isTainted: boolean;
};

export function splitTask(state: OutcomeState, split: Split, world: HomrWorld): Commanded {
  const found = findUnsettled(state, split.taskId);
  if (!("task" in found)) return found;
  const { task } = found;
  const { parts } = split;
  if (parts.length < 2 || parts.length > splitPartsMax)
    return refuse(`A task is split into 2 to ${splitPartsMax} parts; these are ${parts.length}`);
  if (task.splitDepth >= splitDepthMax)
    return refuse(`Task #${task.number} comes from ${task.splitDepth} splits: it cannot be split again`);
  if (hasOpenGate(task)) return refuse(`Task #${task.number} waits for its gate: give that first`);
  // The task itself makes room for one of its parts.
  if (!hasRoomFor(state, parts.length)) return noRoom();
  const dropped = dropTask(task, null);
  const made = addParts(withTasks(state, [dropped.task]), task, split, world);
  const why = `Split into ${listNumbers(made.tasks)}`;
  const waiting = passOn(made.state, task, made.verify);
  const after = tellParts(withTasks(waiting, [{ ...dropped.task, why }]), task, made.tasks);
  const said = logCommand(`${nameTask(task)}: ${why}`, task.id);
  return carryOn({ state: after, effects: [...dropped.effects, said] }, world);
}

type Parts = AddedTasks & { readonly verify: OutcomeTask };

function addParts(state: OutcomeState, whole: OutcomeTask, split: Split, world: HomrWorld): Parts {
  const shared = {
    priority: whole.priority,
    maxAttempts: whole.maxAttempts,
    gates: whole.gates,
    splitOf: whole.id,
    splitDepth: whole.splitDepth + 1,
    madeBy: split.madeBy,
    isTainted: whole.isTainted || split.isTainted,
  };
  let now = state;
  const parts: OutcomeTask[] = [];
  const add = (wanted: NewTask): OutcomeTask => {
    const added = addTasks(now, [wanted], world);
    const task = added?.tasks[0];
    assert(added && task, "there was room for all parts");
    now = added.state;
    return task;
  };
  for (const part of split.parts) {
    const before = split.isInOrder ? parts.slice(-1).map(({ id }) => id) : [];
    parts.push(add({ ...shared, ...part, dependsOn: [...whole.dependsOn, ...before] }));
  }
  const task = `${listNumbers(parts)} were parts of one task. Verify that together they do all of it, and complete what is missing.`;
  const verify = add({
    ...shared,
    title: shorten(`Verify: ${whole.title}`, titleMax),
    description: `${task}\n\n${whole.description}`,
    checks: whole.checks,
    dependsOn: parts.map(({ id }) => id),
  });
  return { state: now, tasks: [...parts, verify], verify };
}

/** What waited for the whole waits for the verification of its parts. */
function passOn(state: OutcomeState, whole: OutcomeTask, verify: OutcomeTask): OutcomeState {
  const waiting = state.tasks.filter((task) => !isSettledTask(task) && task.dependsOn.includes(whole.id));
  const instead = (ids: readonly TaskId[]) => [...ids.filter((id) => id !== whole.id), verify.id];
  return withTasks(
    state,
    waiting.map((task) => edited(task, { dependsOn: instead(task.dependsOn) })),
  );
}

/** What was said or found for the whole holds for each of its parts. */
function tellParts(state: OutcomeState, whole: OutcomeTask, parts: readonly OutcomeTask[]): OutcomeState {
  const more = parts.map(({ id }) => id);
  const tell = <Item extends { readonly audience: Audience }>(items: readonly Item[]): readonly Item[] =>
    items.map((item) =>
      item.audience !== "every" && item.audience.includes(whole.id)
        ? { ...item, audience: [...item.audience, ...more] }
        : item,
    );
  const { context } = state;
  const { injections, discoveries } = context;
  return { ...state, context: { ...context, injections: tell(injections), discoveries: tell(discoveries) } };
}
