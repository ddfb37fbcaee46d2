import { expect, test } from "vitest";
import { z } from "zod";
import { makeOutcome } from "../../test/helpers/make-outcome.ts";
import { defaultHomrConfig } from "../domain/homr/homr-config.ts";
import type { ModelRole, Models } from "../llm/model.ts";
import { realEnv } from "../main/env.ts";
import type { Journal } from "../runs/ports/engine.ts";
import type { HomrDeps } from "./homr-deps.ts";
import { askFor } from "./turn.ts";

/** The model that is asked to observe, where each role has one of its own. */
async function askedWith(observationModel: string): Promise<string> {
  const signal = new AbortController().signal;
  const asked: string[] = [];
  const usage = {
    costMicroUsd: 1,
    inputTokens: 1,
    cachedTokens: 0,
    writtenTokens: 0,
    outputTokens: 1,
    pricedBy: "table",
  };
  const models: Models = {
    chainOf: (role: ModelRole) => [{ provider: "lab", id: `lab/${role}`, isDemo: false }],
    isPriced: () => true,
    reservationOf: () => 1,
    call: async ({ id }) => {
      asked.push(id);
      return { kind: "answered", answer: { text: "{}", toolCalls: [], native: null }, usage: usage as never };
    },
  };
  const journal = {
    signal,
    recall: () => null,
    once: async (_entry: unknown, work: () => Promise<{ readonly result: unknown }>) => (await work()).result,
    ask: async (_call: unknown, work: (id: string, signal: AbortSignal) => Promise<{ readonly result: unknown }>) =>
      (await work("call_1", signal)).result,
  } as unknown as Journal<never>;
  const outcome = makeOutcome({ config: { ...defaultHomrConfig, observationModel } });
  const question = { role: "observer", system: "", message: "Look", view: null, maxOutputTokens: 10 } as const;
  const deps = { models, env: realEnv } as unknown as HomrDeps<never>;
  await askFor(deps, { outcome, journal }, "observe", question, z.object({}));
  return asked[0] ?? "nobody";
}

test.each([
  ["haiku", "lab/observer"],
  ["sonnet", "lab/planner"],
  ["openai/another", "openai/another"],
])("set to %s, the observation is asked of %s", async (observationModel, id) =>
  expect(await askedWith(observationModel)).toBe(id),
);
