// Asks a model to answer a question that the owner lets models answer. What counts of its answer is the rules' to say; where no model
// can be asked, the question waits for its owner like any other.

import { z } from "zod";
import type { OutcomeState } from "../domain/homr/outcome-state.ts";
import type { Proposed } from "../domain/homr/questions/escalation.ts";
import { isOpenEscalation } from "../domain/homr/questions/escalation.ts";
import { mayAutoResolve, proposeAnswer } from "../domain/homr/questions/resolve.ts";
import { carryOut } from "../outcomes/carry-out.ts";
import type { HomrJob, TakenTurn } from "../outcomes/ports/outcome-store.ts";
import { resolverPrompt } from "../prompts/resolver-prompt.ts";
import { type HomrDeps, newNonce, worldOf } from "./homr-deps.ts";
import { type Asking, askFor, type EndedTurn, endTurn, finishJob, isEnded, workOnTurn } from "./turn.ts";

const outputMax = 1_500;

const proposedAnswer = z.object({
  option: z.string().trim().min(1).max(60),
  confidence: z.number().min(0).max(1),
  reason: z.string().trim().max(2_000),
});

export async function resolveJob<Writes>(
  deps: HomrDeps<Writes>,
  job: HomrJob,
  escalationId: string,
  signal: AbortSignal,
): Promise<EndedTurn> {
  const open = await openQuestion(deps, job, escalationId);
  if (open === null) return "gone";
  const { state, taken } = open;
  const asked = await workOnTurn(deps, job, state.outcome, taken, signal, (asking) =>
    ask(deps, asking, state, escalationId),
  );
  if (isEnded(asked)) return asked;
  const proposed = asked.kind === "answered" ? asked.value : null;
  return endTurn(deps, taken, proposed === null ? "failed" : "done", async (tx) => {
    const before = await tx.lockOutcome(job.outcomeId);
    await finishJob(tx, job);
    if (before === null || proposed === null) return;
    const answer = proposeAnswer(before, { escalationId, proposed }, worldOf(deps));
    // A person was quicker, or took the permission back.
    if (answer.isDone) await carryOut(tx, before, answer.move, deps.limits);
  });
}

type OpenQuestion = { readonly state: OutcomeState; readonly taken: TakenTurn };

async function openQuestion<Writes>(deps: HomrDeps<Writes>, job: HomrJob, id: string): Promise<OpenQuestion | null> {
  return deps.outcomes.transaction(async (tx) => {
    const state = await tx.lockOutcome(job.outcomeId);
    const escalation = state?.escalations.find((each) => each.id === id && isOpenEscalation(each));
    const isAsked = state !== null && escalation !== undefined && mayAutoResolve(state, escalation);
    const taken = isAsked ? await tx.takeTurn(state.outcome, "resolve", id) : null;
    if (state !== null && taken !== null) return { state, taken };
    await tx.acknowledge(job);
    return null;
  });
}

/** Null: its answer could not be used. */
async function ask<Writes>(
  deps: HomrDeps<Writes>,
  asking: Asking<Writes>,
  state: OutcomeState,
  escalationId: string,
): Promise<Proposed | null> {
  const view = { kind: "resolver", state, escalationId } as const;
  const prompt = {
    ...resolverPrompt(view, newNonce(deps)),
    role: "observer",
    view,
    maxOutputTokens: outputMax,
  } as const;
  const asked = await askFor(deps, asking, "resolve", prompt, proposedAnswer);
  return asked.ok ? asked.value : null;
}
