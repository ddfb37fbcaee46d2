// Behind `homework model …`: the models as they would be asked, and one small call of one of them.

import type { ModelTest, RoleModels } from "../cli/ports.ts";
import { AppError } from "../lib/app-error.ts";
import { type ModelOutcome, type ModelRef, type ModelRole, modelRoles } from "../llm/model.ts";
import { parseModelId } from "../llm/model-id.ts";
import type { Price } from "../llm/prices.ts";
import { findAgentProblem, listAgentNames } from "./agent-settings.ts";
import { realEnv } from "./env.ts";
import { type OpenModels, openModels } from "./open-models.ts";
import type { ServeInput } from "./serve.ts";
import { tryModel } from "./try-model.ts";

type Input = Pick<ServeInput, "config" | "logger">;

export async function listModels({ config, logger }: Input): Promise<readonly RoleModels[]> {
  const { describe } = await openModels(config, realEnv, logger);
  return describe().map(({ role, models, from }) => ({
    role,
    from,
    models: models.map(({ model, price }) => ({ id: model.id, demo: model.isDemo, price: shownPrice(price) })),
  }));
}

export async function listAgents({ config }: Input) {
  const problem = findAgentProblem(config, process.env);
  return { names: problem === null ? listAgentNames(config, process.env) : [], problem };
}

export async function testModel(
  { config, logger }: Input,
  target: string | null,
  signal: AbortSignal,
): Promise<ModelTest> {
  const models = await openModels(config, realEnv, logger);
  const { role, model } = await find(models, target);
  const { latencyMs, outcome } = await tryModel(models, { role, model }, signal);
  signal.throwIfAborted();
  return { model: model.id, demo: model.isDemo, latency_ms: latencyMs, result: resultOf(outcome) };
}

async function find(
  models: OpenModels,
  target: string | null,
): Promise<{ readonly role: ModelRole; readonly model: ModelRef }> {
  const role = target === null ? "planner" : modelRoles.find((each) => each === target);
  if (role !== undefined) return { role, model: models.chainOf(role)[0] };
  const model = parseModelId(target ?? "");
  if (model === null)
    throw new AppError(
      "invalid_request",
      `"${target}" is no role (${modelRoles.join(", ")}) and no model such as anthropic/claude-sonnet-5-5`,
    );
  const problem = await models.findProblem(model.id);
  if (problem !== null) throw new AppError("invalid_request", problem);
  return { role: "planner", model };
}

const dollars = 1_000_000;

function resultOf(outcome: ModelOutcome): ModelTest["result"] {
  if (outcome.kind === "fault") return { ok: false, fault: outcome.fault.kind, why: outcome.fault.why };
  if (outcome.kind === "cut_off") return { ok: false, fault: outcome.kind, why: outcome.why };
  const { answer, usage } = outcome;
  return {
    ok: true,
    answer: answer.text,
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cost_usd: usage.pricedBy === "unpriced" ? null : usage.costMicroUsd / dollars,
  };
}

function shownPrice(price: Price | "free" | null) {
  if (price === null || price === "free") return price;
  return { input: price.input / dollars, output: price.output / dollars, cache_read: price.cacheRead / dollars };
}
