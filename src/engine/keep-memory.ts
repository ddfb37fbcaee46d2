// Writes down what an iteration leaves behind: its entry in the scratchpad, the plan as a page, its summary, and the memory
// that the next iteration reads. One transaction, one line of the journal.

import type { Plan } from "../domain/plan/plan.ts";
import type { PlannerAnswer } from "../domain/planner/answer.ts";
import { clipLine } from "../domain/planner/clip.ts";
import { bounded, type Failure, type IterationMemory } from "../domain/planner/memory.ts";
import { urlsIn } from "../domain/policy/web-address.ts";
import { planUpdates, type ScratchpadEntry } from "../domain/workspace/scratchpad.ts";
import { type MadeThing, madeByRun } from "../store/planner-store.ts";
import { appendScratchpad, writeIterationSummary, writePlanDocument } from "../store/workspace-store.ts";
import type { Done } from "./done.ts";
import { type Iteration, sourceOf } from "./iteration.ts";
import type { AskedQuestion } from "./questions.ts";

export async function keepMemory(
  it: Iteration,
  answer: PlannerAnswer,
  done: Done,
  plan: Plan,
  questions: readonly AskedQuestion[],
): Promise<void> {
  const { run, workspace } = it;
  await it.journal.write("memory", async (tx) => {
    const ids = artifactsOf(done).map(({ id }) => id);
    const made = await madeByRun(tx, run.id, ids);
    if (it.mayKeepPages) {
      const entry = entryOf(it, answer, done, plan, made);
      const source = sourceOf(it);
      await appendScratchpad(tx, workspace, entry, source);
      await writePlanDocument(tx, workspace, plan, run.state.iteration, source);
      await writeIterationSummary(tx, workspace, run.state.iteration, entry.summary, source);
    }
    const memory = bounded(memoryOf(it, answer, done, plan, made, questions));
    return { result: memory, summary: "Wrote down what came of it", artifacts: [], isBookkeeping: true };
  });
}

const artifactsOf = ({ calls, executed }: Done) => [
  ...calls.flatMap(({ outcome }) => (outcome.ok ? outcome.artifacts : [])),
  ...executed.flatMap(({ artifacts }) => artifacts),
];

function memoryOf(
  it: Iteration,
  { status }: PlannerAnswer,
  done: Done,
  plan: Plan,
  made: readonly MadeThing[],
  questions: readonly AskedQuestion[],
): IterationMemory {
  const { run, memory, noticed } = it;
  const misses = [...memory.missedTools, ...noticed.missedTools];
  return {
    iteration: run.state.iteration,
    last: {
      toolResults: done.calls.map(({ line }) => line),
      executorResults: done.executed.map(({ result }) => result),
      artifacts: made.map(({ kind, id, title }) => ({ kind, id, title })),
    },
    failures: failuresOf(done, plan),
    remainingWork: status.remaining_work,
    isRepeating: status.remaining_work.length > 0 && same(status.remaining_work, memory.remainingWork),
    stage: noticed.missedTools.size > 0 ? wider(memory.stage) : memory.stage,
    missedTools: misses,
    isPlanApproved: memory.isPlanApproved,
    hasReadUntrusted: noticed.hasReadUntrusted,
    userUrls: memory.userUrls,
    searchUrls: [...noticed.searchUrls],
    approvedDestinations: memory.approvedDestinations,
    asked: questions.map(({ id, text, options, grants }) => ({
      id,
      text: clipLine(text, 300),
      grants,
      urls: [...urlsIn([text, ...options].join("\n"))],
    })),
  };
}

const wider = (stage: IterationMemory["stage"]): IterationMemory["stage"] => (stage === 1 ? 2 : 3);

const same = (a: readonly string[], b: readonly string[]) =>
  JSON.stringify([...a].sort()) === JSON.stringify([...b].sort());

/** The snapshot a repair plan is made from: which steps, and what they failed with. */
function failuresOf({ calls, executed }: Done, plan: Plan): Failure[] {
  const errors = new Map<string, string[]>();
  const add = (stepId: string | null, texts: readonly string[]) => {
    if (stepId !== null && texts.length > 0) errors.set(stepId, [...(errors.get(stepId) ?? []), ...texts]);
  };
  for (const { stepId, outcome, line } of calls) if (!outcome.ok) add(stepId, [`${line.tool}: ${outcome.text}`]);
  for (const { result, errors: texts } of executed) add(result.stepId, texts);
  return plan.steps.flatMap(({ id, title }) => {
    const texts = errors.get(id);
    return texts === undefined
      ? []
      : [{ stepId: id, title, errors: texts.slice(0, 3).map((text) => clipLine(text, 300)) }];
  });
}

function entryOf(
  it: Iteration,
  { status }: PlannerAnswer,
  { calls, executed }: Done,
  plan: Plan,
  made: readonly MadeThing[],
): ScratchpadEntry {
  const { run } = it;
  const lines = [...calls.map(({ line }) => line), ...executed.flatMap(({ result }) => result.toolResults)];
  return {
    iteration: run.state.iteration,
    summary: [status.progress_summary, ...executed.map(({ result }) => `${result.title}: ${result.summary}`)]
      .filter((text) => text.trim() !== "")
      .join(" "),
    actions: lines.map(({ tool, args, ok, snippet }) => ({ tool, args, ok, result: snippet })),
    entities: made.map(({ op, kind, id, title }) => ({ op, kind, id, title })),
    planUpdates: planUpdates(run.plan, plan),
    remainingWork: status.remaining_work,
    nextActionHint: status.next_action_hint,
    decisionHint: status.exit_signal ? "claims to be done" : "goes on",
  };
}
