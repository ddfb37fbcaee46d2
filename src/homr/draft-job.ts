// Drafts an outcome from what its owner roughly described. What comes of it is the rules' to say; where no model can be asked, the owner
// writes it by hand.

import { applyDraft, hasOwnName, missDraft } from "../domain/homr/apply-draft.ts";
import type { OfferedMemory } from "../domain/homr/context/memory.ts";
import { type OutcomeDraft, outcomeDraftAnswer } from "../domain/homr/outcome-draft.ts";
import type { OutcomeState } from "../domain/homr/outcome-state.ts";
import { tellTime } from "../domain/time-zone.ts";
import { carryOut } from "../outcomes/carry-out.ts";
import type { HomrJob, TakenTurn } from "../outcomes/ports/outcome-store.ts";
import { outcomeDraftPrompt } from "../prompts/outcome-draft-prompt.ts";
import { type HomrDeps, newNonce, worldOf } from "./homr-deps.ts";
import { type Asking, askFor, type EndedTurn, endTurn, finishJob, isEnded, workOnTurn } from "./turn.ts";

/** A page of approach and twenty tasks. */
const outputMax = 12_000;

type OpenDraft = {
  readonly state: OutcomeState;
  readonly taken: TakenTurn;
  readonly memories: readonly OfferedMemory[];
};

type Drafted = { readonly draft: OutcomeDraft } | { readonly why: string };

export async function draftJob<Writes>(deps: HomrDeps<Writes>, job: HomrJob, signal: AbortSignal): Promise<EndedTurn> {
  const open = await openDraft(deps, job);
  if (open === null) return "gone";
  const { state, taken } = open;
  const asked = await workOnTurn(deps, job, state.outcome, taken, signal, (asking) => ask(deps, asking, open));
  if (isEnded(asked)) return asked;
  const drafted: Drafted = asked.kind === "answered" ? asked.value : { why: asked.why };
  return endTurn(deps, taken, "draft" in drafted ? "done" : "failed", async (tx) => {
    const before = await tx.lockOutcome(job.outcomeId);
    await finishJob(tx, job);
    if (before === null) return;
    const move = "draft" in drafted ? applyDraft(before, drafted.draft, worldOf(deps)) : missDraft(before, drafted.why);
    await carryOut(tx, before, move, deps.limits);
  });
}

/** One for an outcome. */
async function openDraft<Writes>({ outcomes }: HomrDeps<Writes>, job: HomrJob): Promise<OpenDraft | null> {
  return outcomes.transaction(async (tx) => {
    const state = await tx.lockOutcome(job.outcomeId);
    const taken = state === null ? null : await tx.takeTurn(state.outcome, "draft", "1");
    if (state !== null && taken !== null) return { state, taken, memories: await tx.findMemories(state.outcome) };
    await tx.acknowledge(job);
    return null;
  });
}

async function ask<Writes>(
  deps: HomrDeps<Writes>,
  asking: Asking<Writes>,
  { state, memories }: OpenDraft,
): Promise<Drafted> {
  const { name, brief, engine, timeZone } = state.outcome;
  const view = {
    kind: "outcome_draft",
    name: hasOwnName(state.outcome) ? name : "",
    brief,
    project: "",
    engine,
    now: tellTime(deps.env.now(), timeZone),
    memories: memories.map(({ content }) => content),
  } as const;
  const prompt = outcomeDraftPrompt(view, newNonce(deps));
  const question = { ...prompt, role: "planner", view, maxOutputTokens: outputMax } as const;
  const asked = await askFor(deps, asking, "draft", question, outcomeDraftAnswer);
  return asked.ok ? { draft: asked.value.draft } : { why: asked.why };
}
