// What a person says to what a run asks, together with what it decides about staged writes: one transaction, so that no change
// is approved for a run that did not hear of it. Decides nothing itself: that is `respond`, and what an answer means.

import { decidedInWords } from "../domain/change-set/approval-question.ts";
import type { UserId } from "../domain/identity/identity.ts";
import { readApproval } from "../domain/run/checks/approval-answer.ts";
import { respond, type UserAnswer } from "../domain/run/commands.ts";
import type { Question } from "../domain/run/question.ts";
import { isTerminal, type Run, type RunId } from "../domain/run/run.ts";
import type { Limits } from "./carry-out.ts";
import { type Commanded, commandRun } from "./command-run.ts";
import type { RunTx } from "./ports/run-store.ts";

export type WriteDecision = { readonly id: string; readonly decision: "approve" | "reject"; readonly note: string };

export type DecidedWrites =
  | { readonly outcome: "decided" }
  | { readonly outcome: "missing"; readonly id: string }
  /** Someone said otherwise before. */
  | { readonly outcome: "decided_otherwise"; readonly id: string; readonly state: string };

/** What waits, and what was decided since the run last heard of it. */
export type WriteCounts = Readonly<Record<"pending" | "approved" | "rejected", number>>;

/** The staged writes of a run, in the same transaction. */
export type StagedWrites = {
  readonly count: (runId: RunId) => Promise<WriteCounts>;
  readonly pendingIds: (runId: RunId) => Promise<readonly string[]>;
  readonly decide: (runId: RunId, decisions: readonly WriteDecision[], by: UserId) => Promise<DecidedWrites>;
};

type Whose = { readonly userId: UserId; readonly runId: RunId };

/** Answers in words. To the question about staged writes they decide on all of them at once. */
export async function answerRun(
  tx: RunTx,
  writes: StagedWrites,
  { userId, runId }: Whose,
  given: readonly UserAnswer[],
  limits: Limits,
): Promise<Commanded> {
  const before = await lockOwn(tx, userId, runId);
  if (before === null) return { outcome: "missing" };
  const asked = writeQuestions(before);
  const counts = await writes.count(runId);
  const isDecided = counts.pending === 0 && counts.approved + counts.rejected > 0;
  if (isDecided && given.some(({ questionId }) => asked.some(({ id }) => id === questionId)))
    return {
      outcome: "refused",
      why: `Every change is decided (${decidedInWords(counts)}): leave that question out`,
      run: before,
    };
  const answers = isDecided ? [...given, ...answeredByDeciding(asked, counts)] : given;
  const done = await commandRun(tx, userId, runId, (run) => respond(run, answers), limits);
  if (done.outcome !== "done") return done;
  for (const answer of answers)
    if (asked.some(({ id }) => id === answer.questionId)) await decideAll(writes, { userId, runId }, answer.text);
  return done;
}

/** A wish to have it otherwise turns all of them down; the run is told the wish. */
async function decideAll(writes: StagedWrites, { userId, runId }: Whose, text: string): Promise<void> {
  const answer = readApproval(text);
  const decision = answer.kind === "approved" ? "approve" : "reject";
  const note = answer.kind === "edited" ? answer.wish : "";
  const ids = await writes.pendingIds(runId);
  if (ids.length > 0)
    await writes.decide(
      runId,
      ids.map((id) => ({ id, decision, note })),
      userId,
    );
}

export type DecidedRun =
  | { readonly outcome: "done"; readonly run: Run; readonly pending: number }
  | { readonly outcome: "refused"; readonly why: string; readonly run: Run }
  | Exclude<DecidedWrites, { readonly outcome: "decided" }>
  | { readonly outcome: "missing_run" };

/** Decisions one by one. With the last of them the run's question is answered, unless it asks something else as well. */
export async function decideForRun(
  tx: RunTx,
  writes: StagedWrites,
  { userId, runId }: Whose,
  decisions: readonly WriteDecision[],
  limits: Limits,
): Promise<DecidedRun> {
  const before = await lockOwn(tx, userId, runId);
  if (before === null) return { outcome: "missing_run" };
  const { status } = before.state;
  if (isTerminal(status))
    return { outcome: "refused", why: `The run is ${status}: nothing of it is written any more`, run: before };
  const decided = await writes.decide(runId, decisions, userId);
  if (decided.outcome !== "decided") return decided;
  const counts = await writes.count(runId);
  const answers = answeredByDeciding(writeQuestions(before), counts);
  if (counts.pending > 0 || answers.length === 0 || answers.length < questionsOf(before).length)
    return { outcome: "done", run: before, pending: counts.pending };
  const answered = await commandRun(tx, userId, runId, (run) => respond(run, answers), limits);
  if (answered.outcome === "missing") return { outcome: "missing_run" };
  return answered.outcome === "refused" ? answered : { ...answered, pending: 0 };
}

async function lockOwn(tx: RunTx, userId: UserId, runId: RunId): Promise<Run | null> {
  await tx.lockUser(userId);
  const locked = await tx.lockRun(runId);
  return locked?.run.userId === userId ? locked.run : null;
}

const questionsOf = ({ state }: Run): readonly Question[] =>
  state.status === "waiting_on_user" ? state.questions : [];

const writeQuestions = (run: Run) => questionsOf(run).filter(({ kind }) => kind === "approve_writes");

/** Where changes were decided one by one, that is the answer to the question about them. */
const answeredByDeciding = (asked: readonly Question[], counts: WriteCounts): readonly UserAnswer[] =>
  asked.map(({ id }) => ({ questionId: id, text: decidedInWords(counts) }));
