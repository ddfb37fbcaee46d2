import { expect, test } from "vitest";
import { makeRequest, refOf } from "../../test/lab/lab-models.ts";
import type { NonEmpty } from "../domain/run/run.ts";
import type { Instant } from "../lib/env.ts";
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
        return (await ask("c1", new AbortController().signal, () => {})).result;
      },
    },
    env: { now: () => 0 as Instant, sleep: async () => {} },
    key: "plan",
    request: makeRequest(),
  });
  return calls;
}

const never = new AbortController().signal;

/** Asks with these models, each answering in its turn what the script says after being silent for so long; what was told of whom. */
async function askSilent(
  chain: NonEmpty<string>,
  script: readonly ("silent" | "endless" | "heard late" | "answers" | "down")[],
) {
  let nowMs = 0;
  const asked: string[] = [];
  const told: string[] = [];
  const answer = { kind: "answered", answer: { text: "yes", toolCalls: [], native: null }, usage: freeUsage } as const;
  const [first, ...rest] = chain.map(refOf);
  const came = await askModel({
    models: {
      chainOf: () => [first ?? expect.fail("no model"), ...rest],
      ...createPriceBook({}),
      call: async (model, _request, _signal, _onText, onSilence = () => {}) => {
        const does = script[asked.length] ?? expect.fail("asked too often");
        asked.push(model.id.split("/")[0] ?? "");
        if (does === "silent" || does === "heard late") {
          nowMs += 100_000;
          onSilence(100_000);
        }
        if (does === "endless") {
          onSilence(null);
          nowMs += 900_000;
          return { kind: "fault", fault: { kind: "silent", why: "no answer in time" }, usage: "unknown" };
        }
        if (does === "silent") {
          nowMs += 170_000;
          return { kind: "fault", fault: { kind: "silent", why: "no answer in time" }, usage: "unknown" };
        }
        if (does === "down") return { kind: "fault", fault: { kind: "transient", why: "503" }, usage: freeUsage };
        onSilence(null);
        return answer;
      },
    },
    journal: {
      signal: never,
      ask: async (_call, ask) => {
        const tell = (silence: { silentMs: number; triesLeft: number } | null) =>
          told.push(silence === null ? "heard" : `${silence.silentMs / 1_000} s, ${silence.triesLeft} left`);
        return (await ask("c1", never, tell)).result;
      },
    },
    env: {
      now: () => nowMs as Instant,
      sleep: async (ms) => {
        nowMs += ms;
      },
    },
    key: "plan",
    request: makeRequest(),
  });
  return { asked: asked.join(), told, came: came.kind === "fault" ? came.fault.kind : came.kind };
}

const claude = "anthropic/claude-sonnet-5-5";
const gpt = "openai/gpt-6.1-sol";

test.for<[string, NonEmpty<string>, Parameters<typeof askSilent>[1], Awaited<ReturnType<typeof askSilent>>]>([
  ["one that answers is told of by nobody", [claude], ["answers"], { asked: "anthropic", told: [], came: "answered" }],
  [
    "one that is heard late is told of, and that it is heard",
    [claude],
    ["heard late"],
    { asked: "anthropic", told: ["100 s, 1 left", "heard"], came: "answered" },
  ],
  [
    "a silent one is left for the next; the silence goes on until that is heard",
    [claude, gpt],
    ["silent", "answers"],
    { asked: "anthropic,openai", told: ["100 s, 2 left", "270 s, 1 left", "heard"], came: "answered" },
  ],
  [
    "the only one is asked twice",
    [claude],
    ["silent", "silent"],
    { asked: "anthropic,anthropic", told: ["100 s, 1 left", "271 s, 0 left"], came: "silent" },
  ],
  [
    "one that went on until its time was over was not silent",
    [claude, gpt],
    ["endless", "answers"],
    { asked: "anthropic,openai", told: [], came: "answered" },
  ],
  [
    "one that is down is tried again as before",
    [claude],
    ["down", "down", "down", "down"],
    { asked: "anthropic,anthropic,anthropic,anthropic", told: [], came: "transient" },
  ],
])("%s", async ([, chain, script, expected]) => expect(await askSilent(chain, script)).toEqual(expected));

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
