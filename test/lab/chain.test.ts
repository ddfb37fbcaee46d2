import { afterEach, describe, expect, test } from "vitest";
import type { NonEmpty } from "../../src/domain/run/run.ts";
import { type Asked, type AskJournal, askModel } from "../../src/llm/ask-model.ts";
import type { ModelUsage } from "../../src/llm/model.ts";
import { realEnv } from "../../src/main/env.ts";
import { type Lab, startLab } from "./lab.ts";
import { canaryKey, labModels, labPrices, makeRequest } from "./lab-models.ts";
import type { LabReply, LabRequest } from "./lab-protocol.ts";

const labs: Lab[] = [];
afterEach(async () => {
  for (const lab of labs.splice(0)) await lab.close();
});

const sonnet = "anthropic/claude-sonnet-5-5";
const haiku = "anthropic/claude-haiku-5-5";
const sol = "openai/gpt-6.1-sol";

type Row = { readonly model: string; readonly reserved: number; readonly usage: ModelUsage | "unknown" };

/** A step journal in memory: every try is a row, only an answer is remembered. */
function memoryJournal(signal: AbortSignal = new AbortController().signal) {
  const rows: Row[] = [];
  const kept = new Map<string, string>();
  const journal: AskJournal = {
    signal,
    ask: async (call, ask) => {
      const known = kept.get(call.key);
      if (known !== undefined) return JSON.parse(known);
      const { result, usage, isKept } = await ask("id", signal, () => {});
      rows.push({ model: call.model, reserved: call.reservedMicroUsd, usage });
      if (isKept) kept.set(call.key, JSON.stringify(result));
      return result;
    },
  };
  return { journal, rows };
}

/** Asks a role with these models, each answering in its turn what the script says. */
async function ask(chain: NonEmpty<string>, script: (request: LabRequest, at: number) => LabReply) {
  const lab = await startLab({ script, prices: labPrices });
  labs.push(lab);
  const { models, env } = labModels(lab, chain);
  const { journal, rows } = memoryJournal();
  const input = { models, journal, env, key: "plan", request: makeRequest() };
  const asked = await askModel(input);
  return { asked, rows, lab, slept: env.slept, again: () => askModel(input) };
}

const asked = (outcome: Asked) => (outcome.kind === "fault" ? outcome.fault.kind : outcome.model.id);
const askedModels = (lab: Lab) => lab.requests.map(({ model }) => model);

test("a cut stream is tried again after a second and then answers; both tries are in the ledger", async () => {
  const told = await ask([sonnet, sol], (_request, at) => ({ text: "one two three", ...(at === 0 ? { cut: 3 } : {}) }));
  expect(asked(told.asked)).toBe(sonnet);
  expect(told.slept).toEqual([1_000]);
  expect(told.rows.map(({ usage }) => (usage === "unknown" ? usage : usage.pricedBy))).toEqual(["unknown", "table"]);
  expect(told.rows[0]?.reserved).toBeGreaterThan(0);
});

test("an outage is waited for 1, 2 and 4 seconds, then the next model is asked", async () => {
  const told = await ask([sonnet, sol], ({ provider }) =>
    provider === "anthropic" ? { status: 503 } : { text: "ok" },
  );
  expect(asked(told.asked)).toBe(sol);
  expect(told.slept).toEqual([1_000, 2_000, 4_000]);
  expect(askedModels(told.lab)).toEqual([...Array(4).fill("claude-sonnet-5-5"), "gpt-6.1-sol"]);
});

test("where nobody is left, the fault is the answer", async () => {
  const told = await ask([sonnet], () => ({ status: 503 }));
  expect(asked(told.asked)).toBe("transient");
  expect(told.rows).toHaveLength(4);
});

test("a limit is not waited for: the next provider is asked at once", async () => {
  const told = await ask([sonnet, sol], ({ provider }) =>
    provider === "anthropic" ? { status: 429, headers: { "retry-after": "60" } } : { text: "ok" },
  );
  expect([asked(told.asked), told.slept]).toEqual([sol, []]);
});

test("a limit of the only provider comes back with its time, and is not asked for again before it", async () => {
  const told = await ask([sonnet], () => ({ status: 429, headers: { "retry-after": "60" } }));
  expect(told.asked).toMatchObject({ kind: "fault", fault: { kind: "limit", untilMs: 1_900_000_000_000 + 63_001 } });
  expect(await told.again()).toMatchObject({ kind: "fault", fault: { kind: "limit" } });
  expect(told.lab.requests).toHaveLength(1);
  expect(told.rows.map(({ usage }) => usage)).toEqual(Array(2).fill(expect.objectContaining({ costMicroUsd: 0 })));
});

test.each([401, 402, 429])("status %i is said of the account: its other models are passed over", async (status) => {
  const told = await ask([sonnet, haiku, sol], ({ provider }) => (provider === "openai" ? { text: "ok" } : { status }));
  expect(asked(told.asked)).toBe(sol);
  expect(askedModels(told.lab)).toEqual(["claude-sonnet-5-5", "gpt-6.1-sol"]);
});

test("a model that will not take the request is not asked twice; another of the same provider may take it", async () => {
  const told = await ask([sonnet, haiku], ({ model }) => (model.includes("haiku") ? { text: "ok" } : { status: 404 }));
  expect(asked(told.asked)).toBe(haiku);
  expect(told.slept).toEqual([]);
});

describe("of several faults the one that promises most comes back", () => {
  const check = async (anthropic: LabReply, openai: LabReply, kind: string) => {
    const told = await ask([sonnet, sol], ({ provider }) => (provider === "anthropic" ? anthropic : openai));
    expect(asked(told.asked)).toBe(kind);
  };
  test("a limit before an outage", () => check({ status: 429 }, { status: 500 }, "limit"));
  test("an outage before a bad key", () => check({ status: 500 }, { status: 401 }, "transient"));
  test("a bad key before a refusal", () => check({ status: 401 }, { status: 400 }, "auth"));
  test("the limit that is over first", async () => {
    const told = await ask([sonnet, sol], ({ provider }) => ({
      status: 429,
      headers: { "retry-after": provider === "anthropic" ? "600" : "60" },
    }));
    expect(told.asked).toMatchObject({ model: { id: sol }, fault: { kind: "limit" } });
  });
});

test("an answer that broke off is paid, journaled and not asked for again, here or of another model", async () => {
  const cut = { text: "half of", finish: "length", usage: { input: 10, output: 500 } } as const;
  const told = await ask([sonnet, sol], () => cut);
  expect(told.asked).toMatchObject({ kind: "cut_off", text: "half of", outputTokens: 500, model: { id: sonnet } });
  expect(told.rows[0]?.usage).toMatchObject({ inputTokens: 10, outputTokens: 500, pricedBy: "table" });
  expect(await told.again()).toEqual(told.asked);
  expect(told.lab.requests).toHaveLength(1);
});

test("asked again, the journal answers and names who answered then", async () => {
  const told = await ask([sonnet, sol], ({ provider }) =>
    provider === "anthropic" ? { status: 401 } : { text: "ok" },
  );
  const before = told.lab.requests.length;
  expect(await told.again()).toEqual(told.asked);
  expect(told.lab.requests).toHaveLength(before);
});

test("what the tries cost together is what the lab's books say", async () => {
  const told = await ask([sonnet], (_request, at) =>
    at < 2 ? { status: 500 } : { text: "half", finish: "length", usage: { input: 1_003, output: 333 } },
  );
  const paid = told.rows.reduce((sum, { usage }) => sum + (usage === "unknown" ? 0 : usage.costMicroUsd), 0);
  expect(paid).toBe(told.lab.ledger.totals().costMicroUsd);
  expect(paid).toBeGreaterThan(0);
});

test("whoever gives up is not kept waiting for another try", async () => {
  const stop = new AbortController();
  const lab = await startLab({ script: () => ({ status: 500 }) });
  labs.push(lab);
  const { models, env } = labModels(lab, [sonnet]);
  const { journal } = memoryJournal(stop.signal);
  const sleep = async () => stop.abort(new Error("enough"));
  const input = { models, journal, env: { ...env, sleep }, key: "plan", request: makeRequest() };
  await expect(askModel(input)).rejects.toThrow("enough");
  expect(lab.requests).toHaveLength(1);
});

test("many calls at once do not hammer a provider that has asked to wait", async () => {
  const lab = await startLab({ script: () => ({ status: 429, headers: { "retry-after": "60" } }) });
  labs.push(lab);
  const { models } = labModels(lab, [sonnet]);
  const [model] = models.chainOf("planner");
  const { signal } = new AbortController();
  await models.call(model, makeRequest(), signal);
  const later = await Promise.all(Array.from({ length: 50 }, () => models.call(model, makeRequest(), signal)));
  expect(new Set(later.map((outcome) => outcome.kind === "fault" && outcome.fault.kind))).toEqual(new Set(["limit"]));
  expect(lab.requests).toHaveLength(1);
});

test("no more calls are under way at once than a provider takes", async () => {
  let active = 0;
  let most = 0;
  const lab = await startLab({
    script: async () => {
      active += 1;
      most = Math.max(most, active);
      await new Promise((resolve) => setTimeout(resolve, 20));
      active -= 1;
      return { text: "ok" };
    },
  });
  labs.push(lab);
  // Here it is real time that passes: the others stand in line for it.
  const { models } = labModels(lab, ["ollama/qwen3"], { env: realEnv });
  const [model] = models.chainOf("planner");
  const { signal } = new AbortController();
  await Promise.all(Array.from({ length: 20 }, () => models.call(model, makeRequest(), signal)));
  expect(most).toBeLessThanOrEqual(4);
  expect(lab.requests).toHaveLength(20);
});

test("a provider without settings is a matter of the key, not a crash", async () => {
  const told = await ask([sonnet], () => ({ text: "ok" }));
  const { models } = labModels(told.lab, [sonnet]);
  const outcome = await models.call(
    { provider: "openai", id: sol, isDemo: false },
    makeRequest(),
    new AbortController().signal,
  );
  expect(outcome).toMatchObject({ kind: "fault", fault: { kind: "auth" } });
  expect(JSON.stringify(outcome)).not.toContain(canaryKey);
});
