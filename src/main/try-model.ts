// One small real call of a model, to see whether it answers and what that costs.

import type { ModelOutcome, ModelRef, ModelRequest, ModelRole } from "../llm/model.ts";
import { freeUsage } from "../llm/outcome.ts";
import type { TestedModel } from "../server/ports/model-settings.ts";
import { realEnv } from "./env.ts";
import type { OpenModels } from "./open-models.ts";

export type Tried = {
  readonly latencyMs: number;
  readonly outcome: ModelOutcome;
  /** The most it could have cost. */
  readonly reservedMicroUsd: number;
};

export async function tryModel(
  models: OpenModels,
  { role, model }: { readonly role: ModelRole; readonly model: ModelRef },
  signal: AbortSignal,
): Promise<Tried> {
  const request: ModelRequest = { ...tinyRequest, role };
  const before = realEnv.now();
  // The demo model answers to what a prompt was written from, and this test has no such source.
  const outcome = model.isDemo ? demoAnswer : await models.call(model, request, signal);
  return { latencyMs: realEnv.now() - before, outcome, reservedMicroUsd: models.reservationOf(model, request) };
}

const tinyRequest: Omit<ModelRequest, "role"> = {
  system: "Answer with one word.",
  messages: [{ role: "user", text: "Say: ready" }],
  tools: [],
  format: "text",
  // Models that think need room for it before they say a word.
  maxOutputTokens: 2_000,
  cacheKey: "model-test",
  view: null,
};

const demoAnswer: ModelOutcome = {
  kind: "answered",
  answer: { text: "ready (by rule)", toolCalls: [], native: null },
  usage: freeUsage,
};

/** As the server tells it and the ledger keeps it. The demo model was not asked, so there is nothing to keep. */
export function toTested(
  models: Pick<OpenModels, "isPriced">,
  model: ModelRef,
  { latencyMs, outcome, reservedMicroUsd }: Tried,
  isLate: boolean,
): TestedModel {
  const tested = { model: model.id, latencyMs, fault: isLate ? late : faultOf(outcome) };
  if (model.isDemo) return { ...tested, usage: null };
  if (outcome.usage !== "unknown")
    return { ...tested, usage: { state: "settled", reservedMicroUsd, ...outcome.usage } };
  const pricedBy = models.isPriced(model) ? ("reservation" as const) : ("unpriced" as const);
  const lost = { ...freeUsage, state: "unknown", pricedBy, reservedMicroUsd, costMicroUsd: reservedMicroUsd } as const;
  return { ...tested, usage: lost };
}

const late = { kind: "late", why: "given up" };

function faultOf(outcome: ModelOutcome): TestedModel["fault"] {
  if (outcome.kind === "fault") return { kind: outcome.fault.kind, why: outcome.fault.why };
  return outcome.kind === "cut_off" ? { kind: outcome.kind, why: outcome.why } : null;
}
