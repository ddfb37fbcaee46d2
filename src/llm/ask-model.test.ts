import { expect, test } from "vitest";
import { makeRequest, refOf } from "../../test/lab/lab-models.ts";
import { askModel, prefer } from "./ask-model.ts";
import type { ModelRef, Models } from "./model.ts";
import { demoRef } from "./model-id.ts";
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

const chainWith = (usual: readonly [ModelRef, ...ModelRef[]], wanted: string | undefined) =>
  prefer({ chainOf: () => usual } as unknown as Models, { planner: wanted })
    .chainOf("planner")
    .map(({ id }) => id);
const sonnet = refOf("anthropic/claude-sonnet-5-5");

test.for([
  ["a model that was named never has the demo model behind it", [demoRef], sonnet.id, [sonnet.id]],
  ["a name that means no model fails by itself", [demoRef], "foo/bar", ["foo/bar"]],
  [
    "the models of the settings stay behind a model that was named",
    [sonnet],
    "openai/gpt-6-luna",
    ["openai/gpt-6-luna", sonnet.id],
  ],
  ["without a name it is as the settings say", [demoRef], undefined, [demoRef.id]],
  ["the demo model can be named", [sonnet], demoRef.id, [demoRef.id, sonnet.id]],
] as const)("%s", ([, usual, wanted, chain]) => expect(chainWith(usual, wanted)).toEqual(chain));
