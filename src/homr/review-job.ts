// Reviews an outcome in which nothing is left to do: a model reads what its tasks have come to against intent and success criteria. What
// it finds becomes one task. A review that could not be made is tried again later, counts as none, and its owner is asked in the end.

import type { OutcomeState } from "../domain/homr/outcome-state.ts";
import { applyReview, missReview, type OutcomeReview } from "../domain/homr/review-outcome.ts";
import { isSettledTask } from "../domain/homr/tasks/task.ts";
import { carryOut } from "../outcomes/carry-out.ts";
import type { HomrJob, TakenTurn } from "../outcomes/ports/outcome-store.ts";
import type { ReviewWork } from "../outcomes/ports/review-work.ts";
import { outcomeReviewPrompt, reviewAnswer } from "../prompts/outcome-review-prompt.ts";
import { type HomrDeps, newNonce, worldOf } from "./homr-deps.ts";
import { type Asking, askFor, type EndedTurn, endTurn, finishJob, isEnded, workOnTurn } from "./turn.ts";

const outputMax = 4_000;
/** After a review that could not be made: a model that answers nonsense, a key that is refused. */
const againMs = 10 * 60_000;

type OpenReview = {
  readonly state: OutcomeState;
  readonly taken: TakenTurn;
  readonly cycle: number;
  /** This one included. */
  readonly tries: number;
};
type Found = { readonly review: OutcomeReview } | { readonly why: string };

export async function reviewJob<Writes>(deps: HomrDeps<Writes>, job: HomrJob, signal: AbortSignal): Promise<EndedTurn> {
  const open = await openReview(deps, job);
  if (open === null) return "gone";
  const { state, taken, cycle, tries } = open;
  const work = await deps.readReviewWork(state.outcome.userId, job.outcomeId);
  const asked = await workOnTurn(deps, job, state.outcome, taken, signal, (asking) => review(deps, asking, open, work));
  if (isEnded(asked)) return asked;
  const found: Found = asked.kind === "answered" ? asked.value : { why: asked.why };
  return endTurn(deps, taken, "review" in found ? "done" : "failed", async (tx) => {
    const before = await tx.lockOutcome(job.outcomeId);
    await finishJob(tx, job);
    if (before === null) return;
    if ("why" in found) {
      await carryOut(tx, before, missReview(before, { cycle, tries, why: found.why }, worldOf(deps)), deps.limits);
      return tx.enqueue(job.outcomeId, { kind: "look" }, deps.env.now() + againMs);
    }
    const reviewed = applyReview(before, found.review, worldOf(deps));
    const { isClean, taskId } = reviewed;
    const { findings, summary } = found.review;
    await carryOut(tx, before, reviewed, deps.limits, { review: { cycle, findings, isClean, summary, taskId } });
  });
}

/** Null: there is something left to do, or it is reviewed already. */
async function openReview<Writes>({ outcomes }: HomrDeps<Writes>, job: HomrJob): Promise<OpenReview | null> {
  return outcomes.transaction(async (tx) => {
    const state = await tx.lockOutcome(job.outcomeId);
    const isDue = state !== null && state.outcome.status === "active" && state.tasks.every(isSettledTask);
    const cycle = isDue ? (await tx.countReviews(job.outcomeId)) + 1 : 0;
    const taken = isDue ? await takeReview(tx, state.outcome, cycle) : null;
    if (state !== null && taken !== null) return { state, cycle, ...taken };
    await tx.acknowledge(job);
    return null;
  });
}

/** Tries at the same review: each that failed for good has a turn of its own, and its owner is asked after every few of them. */
const triesMax = 1_000;

async function takeReview(
  tx: Parameters<Parameters<HomrDeps<never>["outcomes"]["transaction"]>[0]>[0],
  outcome: OutcomeState["outcome"],
  cycle: number,
): Promise<Pick<OpenReview, "taken" | "tries"> | null> {
  for (let n = 1; n <= triesMax; n++) {
    const taken = await tx.takeTurn(outcome, "review", n === 1 ? String(cycle) : `${cycle}/${n}`);
    if (taken !== null) return { taken, tries: n };
  }
  return null;
}

async function review<Writes>(
  deps: HomrDeps<Writes>,
  asking: Asking<Writes>,
  { state, cycle }: OpenReview,
  work: ReviewWork,
): Promise<Found> {
  const view = { kind: "outcome_review", state, cycle, work } as const;
  const prompt = {
    ...outcomeReviewPrompt(view, newNonce(deps)),
    role: "judge",
    view,
    maxOutputTokens: outputMax,
  } as const;
  const asked = await askFor(deps, asking, "review", prompt, reviewAnswer);
  return asked.ok ? { review: { ...asked.value, cycle, redChecks: work.redChecks } } : { why: asked.why };
}
