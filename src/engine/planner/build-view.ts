// Gathers what a session opens with. Everything in it is bounded, and asked of the database by keys, so an iteration costs the same
// whether it is the tenth or the thousandth.

import { toLastIteration } from "../../domain/planner/memory.ts";
import type { CommonView, PlannerView, ProjectContents } from "../../domain/planner/view.ts";
import { tellChecks } from "../../domain/run/checks/describe-check.ts";
import { wasNotAsked } from "../../domain/run/checks/not-asked.ts";
import type { RunningRun } from "../../domain/run/run.ts";
import { tellTime } from "../../domain/time-zone.ts";
import { repeatedHint } from "../../prompts/planner-rules.ts";
import { findForeignWords } from "../../store/entity/node-store.ts";
import { readMessages } from "../../store/run-view/message-store.ts";
import { readOwnNotes } from "../../store/workspace/own-notes-store.ts";
import { type EndedLine, projectsToUse, recentIterations } from "../../store/workspace/planner-store.ts";
import { readProjectContents } from "../../store/workspace/project-contents-store.ts";
import { readScratchpad } from "../../store/workspace/workspace-store.ts";
import { openBrief } from "../open-brief.ts";
import { readRunBefore } from "../read-run-before.ts";
import type { Iteration } from "./iteration.ts";
import { plannerLimits } from "./session-tools.ts";

const historyMax = 10;
const projectsMax = 20;
/** The newest of them is told in full anyway. */
const entriesShown = 3;
/** Projects whose contents are listed; among more, a search finds better. */
const contentsMax = 3;

/** What every prompt of a run knows. */
export async function commonView(it: Iteration): Promise<CommonView> {
  const { run, workspace, db, projectIds, env } = it;
  const identity = { userId: run.userId, runId: run.id };
  const { projects, messages } = await db.asUser(identity, async (tx) => ({
    projects: await projectsToUse(tx, projectIds, projectsMax),
    messages: await readMessages(tx, run.id, run.state.iteration),
  }));
  return {
    runId: run.id,
    iteration: run.state.iteration,
    objective: run.objective,
    foreignTexts: run.foreignTexts,
    messages,
    now: tellTime(env.now(), run.timeZone),
    projects,
    workspace,
    permission: run.permission,
  };
}

export async function buildView(it: Iteration, decidedWrites: PlannerView["decidedWrites"]): Promise<PlannerView> {
  const { run, memory, workspace, db } = it;
  const common = await commonView(it);
  const brief = await openBrief(it, run, it.journal);
  const read = await db.asUser({ userId: run.userId, runId: run.id }, async (tx) => {
    const pages = it.mayKeepPages ? await readScratchpad(tx, workspace, entriesShown) : noPages;
    const shown = common.projects.map(({ id }) => id);
    const few = common.projects.length <= contentsMax ? common.projects : [];
    const contents = await readProjectContents(tx, few, run);
    const notes = await readOwnNotes(tx, run.id);
    return {
      before: await readRunBefore(tx, run, it.projectIds),
      history: await recentIterations(tx, run.id, historyMax),
      scratchpad: pages.text,
      contents,
      notes,
      foreign: await findForeignWords(
        tx,
        [...shown, workspace.projectId],
        [...shown, ...pages.ids, ...notes.map(({ id }) => id), ...namedIn(contents)],
      ),
    };
  });
  if (read.foreign.length > 0 || isToldByOthers(it) || brief?.isTainted || read.before?.isTainted)
    it.noticed.hasReadUntrusted = true;
  if (namedIn(read.contents).length > 0 || brief !== null || read.before !== null) it.noticed.hasReadPrivate = true;
  const last = read.history.findLast(({ iteration }) => iteration === memory.iteration);
  return {
    ...common,
    kind: "planner",
    brief: brief?.text ?? null,
    before: read.before,
    contents: read.contents,
    notes: read.notes,
    budget: budgetOf(run),
    scope: run.scope.kind,
    context: run.context,
    phase: it.phase,
    limits: plannerLimits,
    plan: run.plan.steps,
    deliverables: run.deliverables,
    checks: checksOf(run),
    // What the user has just said begins a new count: a reproach for what was before would be about something else.
    guidance: it.heard > 0 && run.guidance?.next === "recover" ? null : run.guidance,
    hint: it.heard === 0 && run.streaks.sameAction > 0 ? repeatedHint : null,
    lastIteration: toLastIteration(memory, {
      summary: last?.summary ?? "",
      hasProgressed: run.streaks.noProgress === 0,
      decision: tellDecision(it, last),
    }),
    remainingWorkLast: memory.remainingWork,
    unsureLast: [...(run.closing?.openQuestions ?? []), ...(run.closing?.unsure ?? [])],
    summaryLast: run.closing?.summary ?? "",
    // What the last one did stands above in full.
    history: read.history.slice(0, -1).map(({ iteration, summary }) => ({ iteration, summary })),
    scratchpad: withoutNewest(read.scratchpad),
    decidedWrites,
  };
}

/** Why it goes on, said to the planner: what the gate wrote is for the user. */
function tellDecision({ heard, phase }: Iteration, last: EndedLine | undefined): string {
  if (heard === 0) return last?.why ?? "";
  return phase === "plan_only"
    ? "The user has not approved the plan yet, and asks for changes; they are listed above."
    : "The user has answered, or said something new; it is listed above. The checks were run before that, and a change of them that the user did not approve is dropped.";
}

const namedIn = (contents: readonly ProjectContents[]): readonly string[] =>
  contents.flatMap(({ documents, tasks }) => [...documents, ...tasks].map(({ id }) => id));

const withoutNewest = (text: string): string => text.slice(0, Math.max(0, text.lastIndexOf("## Iteration "))).trim();

const noPages = { text: "", ids: [] } as const;

/** What a server says of its tools stands in every prompt: it is read before anything else is. */
function isToldByOthers({ run, registry }: Iteration): boolean {
  const { allowedTools } = run.permission;
  return registry.all.some(
    ({ name, isForeignText }) => isForeignText === true && (allowedTools === null || allowedTools.includes(name)),
  );
}

function budgetOf({ budget, spent, state }: RunningRun): PlannerView["budget"] {
  const minutes = (ms: number) => Math.round(ms / 60_000);
  const dollars = (micro: number) => Math.round(micro / 10_000) / 100;
  return [
    { of: "iterations", used: state.iteration - 1, limit: budget.maxIterations },
    { of: "minutes", used: minutes(spent.runningMs), limit: minutes(budget.maxRunningMs) },
    ...(budget.maxCostMicroUsd === null
      ? []
      : [{ of: "dollars", used: dollars(spent.costMicroUsd), limit: dollars(budget.maxCostMicroUsd) }]),
    ...(budget.maxTokens === null ? [] : [{ of: "tokens", used: spent.tokens, limit: budget.maxTokens }]),
    ...(budget.maxToolCalls === null ? [] : [{ of: "tool calls", used: spent.toolCalls, limit: budget.maxToolCalls }]),
  ];
}

const checksOf = ({ checks, lastProofs }: RunningRun): PlannerView["checks"] =>
  tellChecks(checks, lastProofs).map(({ check: { id, target }, about, isGreen, seen }) => {
    const isOpen = seen === null || (target.kind === "judge" && wasNotAsked({ seen }));
    return isOpen ? { id, about, isGreen: null, seen: "" } : { id, about, isGreen, seen };
  });
