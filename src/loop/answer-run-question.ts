// Runs as things that can be answered through a channel: the same command as an answer on the run's page, with its rules and its line
// in the audit log.

import type { Tx } from "../db/database.ts";
import type { GivenAnswer } from "../domain/channel/asked.ts";
import type { UserId } from "../domain/identity/identity.ts";
import type { UserAnswer } from "../domain/run/commands.ts";
import type { Question } from "../domain/run/question.ts";
import type { RunId } from "../domain/run/run.ts";
import type { Answerable, AnswerOutcome } from "../notify/answerable.ts";
import { answerRun } from "../runs/answer-run.ts";
import type { Limits } from "../runs/carry-out.ts";
import type { RunTx } from "../runs/ports/run-store.ts";
import { stagedWrites } from "../store/change/change-set-store.ts";
import { writeAudit } from "../store/identity/audit-store.ts";
import type { RunJobs } from "../store/run/run-jobs.ts";
import { inRunTx } from "../store/run/run-store.ts";

export const answerableRuns = (jobs: RunJobs, limits: Limits): Answerable => ({
  isOpen: (tx, id, by) => inRunTx(tx, jobs, async (runs) => (await openQuestions(runs, id as RunId, by)) !== null),
  answer: async (tx, id, answers, by) => {
    const outcome = await inRunTx(tx, jobs, (runs) =>
      answer(runs, tx, { runId: id as RunId, userId: by }, answers, limits),
    );
    if (outcome.kind === "taken")
      await writeAudit(tx, {
        actorId: by,
        action: "run_answered",
        target: `run:${id}`,
        details: { through: "telegram" },
      });
    return outcome;
  },
});

type Whose = { readonly runId: RunId; readonly userId: UserId };

async function answer(
  runs: RunTx,
  tx: Tx,
  { runId, userId }: Whose,
  given: readonly GivenAnswer[],
  limits: Limits,
): Promise<AnswerOutcome> {
  const questions = await openQuestions(runs, runId, userId);
  if (questions === null) return { kind: "closed" };
  const answers = given.flatMap((each) => toUserAnswer(questions, each) ?? []);
  if (answers.length < given.length) return { kind: "closed" };
  const done = await answerRun(runs, stagedWrites(tx), { userId, runId }, answers, limits);
  if (done.outcome === "done") return { kind: "taken" };
  return done.outcome === "missing" ? { kind: "closed" } : { kind: "refused", why: done.why };
}

/** Null where the run is another's, or asks nothing. A user is locked before any run. */
async function openQuestions(runs: RunTx, runId: RunId, userId: UserId): Promise<readonly Question[] | null> {
  await runs.lockUser(userId);
  const locked = await runs.lockRun(runId);
  if (locked === null || locked.run.userId !== userId) return null;
  const { state } = locked.run;
  return state.status === "waiting_on_user" ? state.questions : null;
}

/** Null where it is not asked. The place of an option is its id (src/domain/run/report/notification.ts). */
function toUserAnswer(questions: readonly Question[], given: GivenAnswer): UserAnswer | null {
  const { questionId } = given;
  const question = questions.find(({ id }) => id === questionId);
  if (question === undefined) return null;
  if ("text" in given) return { questionId, text: given.text };
  const text = question.options[Number(given.optionId)];
  return text === undefined ? null : { questionId, text };
}
