// What the end of an attempt leads to. The output is gathered and looked at by a model, outside of any lock; then one transaction settles
// the attempt, keeps the observation, steers or asks, and begins what is ready. So nothing that waited for a task begins before its work
// was looked at. Where no model can be asked, the observation is made by rules.

import { advanceOutcome } from "../domain/homr/advance-outcome.ts";
import { applyObservation } from "../domain/homr/observe/apply-observation.ts";
import type { Observation, ObservationResult, ObservedBy } from "../domain/homr/observe/observation.ts";
import { observationAnswer, ruleObservation, shouldObserve } from "../domain/homr/observe/read-observation.ts";
import type { OutcomeState } from "../domain/homr/outcome-state.ts";
import { type AskedQuestion, askedQuestion, needsEscalation } from "../domain/homr/questions/escalate.ts";
import { followedBy } from "../domain/homr/state-changes.ts";
import { type EndedRun, settleAttempt } from "../domain/homr/tasks/settle-attempt.ts";
import { isAttemptOver } from "../domain/run/run.ts";
import { carryOut } from "../outcomes/carry-out.ts";
import type { AttemptWork } from "../outcomes/ports/attempt-work.ts";
import type { HomrJob, HomrTurn, OutcomeTx, TakenTurn } from "../outcomes/ports/outcome-store.ts";
import { escalationPrompt } from "../prompts/escalation-prompt.ts";
import { observerPrompt } from "../prompts/observer-prompt.ts";
import { describeEnd, describeOutput } from "./gather-output.ts";
import { type HomrDeps, newNonce, worldOf } from "./homr-deps.ts";
import { type Asking, askFor, type EndedTurn, endTurn, finishJob, isEnded, workOnTurn } from "./turn.ts";

type ObserveTurn = Extract<HomrTurn, { readonly kind: "observe" }>;

/** An attempt that has ended and is not settled yet. */
type Open = {
  readonly state: OutcomeState;
  readonly taken: TakenTurn;
  readonly attempt: number;
  readonly ended: EndedRun;
  readonly work: AttemptWork;
};

/** What was seen, and the question that comes of it; null where no one looks. */
type Seen = {
  readonly result: ObservationResult;
  readonly by: ObservedBy;
  readonly leftOut: readonly string[];
  readonly question: AskedQuestion | null;
};

const outputMax = 4_000;

export async function observeJob<Writes>(
  deps: HomrDeps<Writes>,
  job: HomrJob,
  turn: ObserveTurn,
  signal: AbortSignal,
): Promise<EndedTurn> {
  const open = await openAttempt(deps, job, turn);
  if (open === null) return "gone";
  const seen = await lookAt(deps, job, open, signal);
  if (isEnded(seen)) return seen;
  return endTurn(deps, open.taken, "done", (tx) => apply(deps, tx, job, turn, open, seen));
}

/** Null: nothing has ended, or it is settled already; then the job is done. */
async function openAttempt<Writes>(
  deps: HomrDeps<Writes>,
  job: HomrJob,
  { taskId, runId }: ObserveTurn,
): Promise<Open | null> {
  const found = await deps.outcomes.transaction(async (tx) => {
    const state = await tx.lockOutcome(job.outcomeId, [taskId]);
    const attempt = state === null ? null : await tx.findAttempt(runId);
    const run = attempt?.state === "running" ? ((await tx.runs.lockRun(runId))?.run ?? null) : null;
    // One that was resumed meanwhile tells of its end again.
    const isOver = run !== null && isAttemptOver(run.state);
    // Of this end: one that is resumed and ends again has a newer fence.
    const about = `${taskId}:${attempt?.attempt}:${run?.fence}`;
    const taken = state !== null && isOver ? await tx.takeTurn(state.outcome, "observe", about) : null;
    if (state !== null && attempt !== null && run !== null && taken !== null) return { state, attempt, run, taken };
    await tx.acknowledge(job);
    return null;
  });
  if (found === null) return null;
  const { state, attempt, run, taken } = found;
  const work = await deps.readWork(state.outcome.userId, runId);
  return { state, taken, attempt: attempt.attempt, work, ended: describeEnd(run, taskId, work) };
}

/** Null: this attempt is not observed. */
async function lookAt<Writes>(
  deps: HomrDeps<Writes>,
  job: HomrJob,
  open: Open,
  signal: AbortSignal,
): Promise<Seen | null | Exclude<EndedTurn, "done" | "gone">> {
  const { ended } = open;
  const settled = settleAttempt(open.state, ended, worldOf(deps));
  const hasSucceeded = ended.result === "completed";
  if (settled.isLate || ended.result === "canceled") return null;
  if (!shouldObserve(settled.state, { taskId: ended.taskId, hasSucceeded })) return null;
  const asked = await workOnTurn(deps, job, open.state.outcome, open.taken, signal, (asking) =>
    askModels(deps, asking, settled.state, open),
  );
  if (isEnded(asked)) return asked;
  return asked.kind === "answered" ? asked.value : byRules(open, asked.why);
}

const byRules = ({ ended }: Open, why: string): Seen => ({
  result: ruleObservation({ taskId: ended.taskId, hasSucceeded: ended.result === "completed", why: ended.why }, why),
  by: "rules",
  leftOut: [],
  question: null,
});

async function askModels<Writes>(
  deps: HomrDeps<Writes>,
  asking: Asking<Writes>,
  state: OutcomeState,
  open: Open,
): Promise<Seen> {
  const { ended, work, attempt } = open;
  const output = describeOutput(work);
  const view = {
    kind: "observer",
    state,
    taskId: ended.taskId,
    attempt,
    result: ended.result,
    why: ended.why,
    said: work.said,
    output,
  } as const;
  const prompt = observerPrompt(view, newNonce(deps));
  const question = { ...prompt, role: "observer", view, maxOutputTokens: outputMax } as const;
  const asked = await askFor(deps, asking, "observe", question, observationAnswer(state));
  const seen: Seen = asked.ok
    ? { result: asked.value.result, leftOut: asked.value.leftOut, by: "model", question: null }
    : byRules(open, asked.why);
  const need = needsEscalation(state, toObservation(deps, open, seen), output);
  if (need === null || need.cause.kind !== "ambiguity") return seen;
  const needView = { kind: "escalation", state, need } as const;
  const second = {
    ...escalationPrompt(needView, newNonce(deps)),
    role: "observer",
    view: needView,
    maxOutputTokens: outputMax,
  } as const;
  const written = await askFor(deps, asking, "question", second, askedQuestion);
  return { ...seen, question: written.ok ? written.value : null };
}

const toObservation = ({ env }: Pick<HomrDeps<never>, "env">, open: Open, { result, by }: Seen): Observation => ({
  ...result,
  id: env.newId(),
  taskId: open.ended.taskId,
  attempt: open.attempt,
  hasSucceeded: open.ended.result === "completed",
  by,
  isTainted: open.work.isTainted,
  atMs: env.now(),
});

async function apply<Writes>(
  deps: HomrDeps<Writes>,
  tx: OutcomeTx,
  job: HomrJob,
  { taskId, runId }: ObserveTurn,
  open: Open,
  seen: Seen | null,
): Promise<void> {
  const before = await tx.lockOutcome(job.outcomeId, [taskId]);
  await finishJob(tx, job);
  if (before === null) return;
  await tx.runs.lockUser(before.outcome.userId);
  const run = await tx.runs.lockRun(runId);
  if (run === null || !isAttemptOver(run.run.state)) return; // Someone resumed it: its next end is another turn.
  const world = worldOf(deps);
  const { ended } = open;
  const settled = settleAttempt(before, ended, world);
  const observation = seen === null || settled.isLate ? null : toObservation(deps, open, seen);
  const move = followedBy(settled, (state) =>
    observation === null
      ? advanceOutcome(state, world)
      : applyObservation(state, observation, describeOutput(open.work), seen?.question ?? null, world),
  );
  await carryOut(tx, before, move, deps.limits, {
    ended: { runId, state: ended.result, why: ended.why, isObserved: observation !== null },
  });
}
