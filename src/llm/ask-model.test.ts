import { expect, test } from "vitest";
import { makeRequest, refOf } from "../../test/lab/lab-models.ts";
import { askModel } from "./ask-model.ts";
import { freeUsage } from "./outcome.ts";
import { createPriceBook } from "./prices.ts";

/** What is reserved before this model is asked. */
async function reservedFor(id: string) {
  const calls: unknown[] = [];
  await askModel({
    models: {
      chainOf: () => [refOf(id)],
      ...createPriceBook({}),
      call: async () => ({ kind: "answered", answer: { text: "yes", toolCalls: [], native: null }, usage: freeUsage }),
    },
    journal: {
      signal: new AbortController().signal,
      ask: async (call, ask) => {
        calls.push(call);
        return (await ask("c1", new AbortController().signal)).result;
      },
    },
    env: { sleep: async () => {} },
    key: "plan",
    request: makeRequest(),
  });
  return calls;
}

test.for([
  ["openai-compatible/house-model", true],
  ["openrouter/someone/unheard-of", true],
  ["anthropic/claude-sonnet-5-5", false],
  ["ollama/qwen3", false],
  ["demo/rules", false],
] as const)("that nobody knows a price for %s is known before it is asked: %s", async ([id, isUnpriced]) =>
  expect(await reservedFor(id)).toMatchObject([{ key: "plan", model: id, isUnpriced }]),
);
