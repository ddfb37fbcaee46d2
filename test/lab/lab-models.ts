// Our models with the lab as their provider, whichever one it plays. Only tests import it.

import { setTimeout as sleep } from "node:timers/promises";
import type { NonEmpty } from "../../src/domain/run/run.ts";
import type { Env, Instant } from "../../src/lib/env.ts";
import type { Timeouts } from "../../src/llm/answer-limits.ts";
import { type ModelRef, type ModelRequest, type Models, modelRoles } from "../../src/llm/model.ts";
import { type ProviderName, parseModelId } from "../../src/llm/model-id.ts";
import { createModels } from "../../src/llm/models.ts";
import type { Provider } from "../../src/llm/providers.ts";
import type { Lab } from "./lab.ts";
import type { LabPrice } from "./ledger.ts";

/** Stands for a key: to be found nowhere but in a header. */
export const canaryKey = "sk-canary-7f3a91c0d2";

/** Every provider with a model whose price our table knows, and the lab's own copy of that price. */
export const players = [
  { id: "openrouter/anthropic/claude-sonnet-5.5", price: usd(2, 10, 0.2, 2.5) },
  { id: "anthropic/claude-sonnet-5-5", price: usd(2, 10, 0.2, 2.5) },
  { id: "openai/gpt-6.1-sol", price: usd(2, 10, 0.1, 2.5) },
  { id: "google/gemini-3.8-flash", price: usd(1.5, 7.5, 0.15, 1.5) },
  { id: "openai-compatible/house-model", price: usd(0.7, 1.3, 0.07, 0.7) },
] as const;

export const labPrices: Readonly<Record<string, LabPrice>> = Object.fromEntries(
  players.map(({ id, price }) => [id.slice(id.indexOf("/") + 1), price]),
);

export type LabModels = { readonly models: Models; readonly env: TestEnv };

/** Instead of what is usual in a test. */
type More = { readonly timeouts?: Timeouts; readonly env?: Env };

/** The chain is the same for every role. */
export function labModels(lab: Lab, ids: NonEmpty<string>, more: More = {}): LabModels {
  const [first, ...rest] = ids.map(refOf);
  const chain = [first as ModelRef, ...rest] as const;
  const env = testEnv();
  const models = createModels({
    chains: Object.fromEntries(modelRoles.map((role) => [role, chain])) as never,
    providers: new Map(chain.map(({ provider }) => [provider, providerOf(lab, provider as ProviderName)])),
    env,
    fetch,
    demo: () => ({ text: "demo", toolCalls: [] }),
    ...more,
  });
  return { models, env };
}

export function refOf(id: string): ModelRef {
  const model = parseModelId(id);
  if (model === null) throw new Error(`${id} is no model`);
  return model;
}

export function providerOf(lab: Lab, name: ProviderName): Provider {
  return { name, baseUrl: lab.baseUrl(name), apiKey: canaryKey };
}

export function makeRequest(change: Partial<ModelRequest> = {}): ModelRequest {
  return {
    role: "planner",
    system: "You plan.",
    messages: [{ role: "user", text: "What is next?" }],
    tools: [],
    format: "text",
    maxOutputTokens: 500,
    cacheKey: "lab",
    view: null,
    ...change,
  };
}

export type TestEnv = Env & { readonly slept: number[] };

/** Sleeping takes no time but moves the clock; pauses are remembered. */
function testEnv(): TestEnv {
  let nowMs = 1_900_000_000_000;
  const slept: number[] = [];
  return {
    slept,
    now: () => nowMs as Instant,
    newId: () => "00000000-0000-7000-8000-000000000000",
    random: () => 0.5,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      slept.push(ms);
      nowMs += ms;
      // Others get their turn, as they would in a real pause.
      await sleep(1);
    },
  };
}

function usd(input: number, output: number, cacheRead: number, cacheWrite: number): LabPrice {
  const micro = (dollars: number) => Math.round(dollars * 1_000_000);
  return {
    input: micro(input),
    output: micro(output),
    cacheRead: micro(cacheRead),
    cacheWrite: micro(cacheWrite),
  };
}
