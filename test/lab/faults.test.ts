import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import type { Timeouts } from "../../src/llm/answer-limits.ts";
import type { ModelFault, ModelOutcome, ModelRequest } from "../../src/llm/model.ts";
import { type Lab, type LabOptions, startLab } from "./lab.ts";
import { canaryKey, labModels, labPrices, makeRequest, players, refOf } from "./lab-models.ts";
import type { LabReply } from "./lab-protocol.ts";

const labs: Lab[] = [];
afterEach(async () => {
  for (const lab of labs.splice(0)) await lab.close();
});

async function openLab(script: LabOptions["script"]): Promise<Lab> {
  const lab = await startLab({ script, prices: labPrices });
  labs.push(lab);
  return lab;
}

const never = new AbortController().signal;
const free = { costMicroUsd: 0, inputTokens: 0, cachedTokens: 0, writtenTokens: 0, outputTokens: 0, pricedBy: "free" };
const sonnet = "anthropic/claude-sonnet-5-5";

type More = { readonly id?: string; readonly timeouts?: Timeouts; readonly request?: Partial<ModelRequest> };

/** What comes of a call that is answered with this. */
async function outcomeOf(reply: LabReply, { id = sonnet, timeouts, request }: More = {}): Promise<ModelOutcome> {
  const lab = await openLab(() => reply);
  const { models } = labModels(lab, [id], timeouts ? { timeouts } : {});
  return models.call(refOf(id), makeRequest(request), never);
}

function faultOf(outcome: ModelOutcome): ModelFault {
  if (outcome.kind !== "fault") throw new Error(`an answer: ${JSON.stringify(outcome)}`);
  return outcome.fault;
}

describe.each(players)("$id", ({ id }) => {
  const statuses = [
    [400, "refused"],
    [401, "auth"],
    [402, "quota"],
    [403, "auth"],
    [404, "refused"],
    [408, "transient"],
    [413, "too_long"],
    [422, "refused"],
    [429, "limit"],
    [500, "transient"],
    [503, "transient"],
    [529, "transient"],
  ] as const;
  test.each(statuses)("status %i is %s and costs nothing", async (status, kind) => {
    const outcome = await outcomeOf({ status }, { id });
    expect(faultOf(outcome)).toMatchObject({ kind, why: expect.stringContaining(String(status)) });
    expect(outcome).toMatchObject({ usage: free });
  });

  test("a stream that is cut is transient, and nobody knows what it cost", async () => {
    const outcome = await outcomeOf({ text: "one two three four five", cut: 4 }, { id });
    expect([faultOf(outcome).kind, outcome.usage]).toEqual(["transient", "unknown"]);
  });

  test("a connection that is cut before the first word is transient", async () => {
    expect(faultOf(await outcomeOf({ text: "one two", cut: 0 }, { id })).kind).toBe("transient");
  });

  test("a stream that just ends is no answer", async () => {
    const outcome = await outcomeOf({ text: "one two three", finish: "none" }, { id });
    expect(outcome.kind === "fault" ? outcome.fault.kind : outcome.kind).toMatch(/^(cut_off|transient)$/);
  });

  test("an answer that was too long is no answer, and is paid for", async () => {
    const outcome = await outcomeOf(
      { text: '{"a": 1, "b', finish: "length", usage: { input: 100, output: 500 } },
      { id },
    );
    expect(outcome).toMatchObject({ kind: "cut_off", text: '{"a": 1, "b', outputTokens: 500 });
    expect(outcome.usage).toMatchObject({ inputTokens: 100, cachedTokens: 0, writtenTokens: 0, outputTokens: 500 });
  });

  test("a model that fails in the middle has not answered", async () => {
    expect(faultOf(await outcomeOf({ text: "I think", finish: "error" }, { id })).kind).toBe("transient");
  });

  test("filtered content is told apart", async () => {
    expect(faultOf(await outcomeOf({ text: "I", finish: "content_filter" }, { id })).kind).toBe("filtered");
  });

  test("an empty answer is none", async () => {
    expect(faultOf(await outcomeOf({ text: "" }, { id })).kind).toBe("transient");
  });

  test.each(["<html>Bad gateway</html>", "{}", '{"choices": 17}', "data: {\n\n", ""])(
    "garbage is no answer: %j",
    async (garbage) => {
      expect(faultOf(await outcomeOf({ garbage }, { id })).kind).toBe("transient");
    },
  );

  test("no text of any fault has the key in it", async () => {
    const echo = { error: { message: `Incorrect API key provided: ${canaryKey}`, code: "x", type: "x" } };
    const texts: string[] = [];
    for (const status of [400, 401, 429, 500]) {
      const outcome = await outcomeOf({ status, body: echo, headers: { "x-echo": canaryKey } }, { id });
      texts.push(JSON.stringify(outcome));
    }
    texts.push(JSON.stringify(await outcomeOf({ status: 401, body: `key ${canaryKey} is wrong` }, { id })));
    texts.push(JSON.stringify(await outcomeOf({ garbage: canaryKey }, { id })));
    expect(texts.join("\n")).not.toContain(canaryKey);
    expect(texts[1]).toContain("[key]");
  });
});

describe("how long a limit lasts", () => {
  const nowMs = 1_900_000_000_000;
  /** Half of what may be added: `random` is 0.5 here. */
  const untilOf = async (reply: LabReply, id: string = sonnet) => {
    const fault = faultOf(await outcomeOf(reply, { id }));
    return fault.kind === "limit" ? fault.untilMs - nowMs : null;
  };
  const limit = (headers: Record<string, string>) => ({ status: 429, headers });

  test("is what Retry-After says in seconds, and a little more", async () => {
    expect(await untilOf(limit({ "retry-after": "60" }))).toBe(60_000 + 1 + 3_000);
  });
  test("is what Retry-After says as a date", async () => {
    const date = new Date(nowMs + 120_000).toUTCString();
    expect(await untilOf(limit({ "retry-after": date }))).toBe(120_000 + 1 + 6_000);
  });
  test("is what retry-after-ms says, before anything else", async () => {
    expect(await untilOf(limit({ "retry-after": "60", "retry-after-ms": "1500" }))).toBe(1_500 + 1 + 500);
  });
  test("is what Google says in the body", async () => {
    const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34s" }];
    const body = { error: { code: 429, message: "slow down", status: "RESOURCE_EXHAUSTED", details } };
    expect(await untilOf({ status: 429, body }, "google/gemini-3.8-flash")).toBe(34_000 + 1 + 1_700);
  });
  test("is half a minute where nothing is said", async () => {
    expect(await untilOf(limit({}))).toBe(30_000 + 1 + 1_500);
  });
  test("is a day at most, whatever is said", async () => {
    expect(await untilOf(limit({ "retry-after": "99999999" }))).toBe(86_400_000 + 1 + 15_000);
  });
  test("is never in the past", async () => {
    expect(await untilOf(limit({ "retry-after": new Date(0).toUTCString() }))).toBe(1 + 500);
  });
});

test.each([
  [
    429,
    { error: { message: "You exceeded your current quota", type: "insufficient_quota", code: "insufficient_quota" } },
  ],
  [400, { type: "error", error: { type: "invalid_request_error", message: "Your credit balance is too low" } }],
])("an account without money is a quota, whatever the status: %i", async (status, body) => {
  expect(faultOf(await outcomeOf({ status, body }, { id: "openai/gpt-6.1-sol" })).kind).toBe("quota");
});

test("content that a moderator turned down is filtered, not a matter of the key", async () => {
  const body = { error: { code: 403, message: "flagged", metadata: { reasons: ["violence"] } } };
  const id = "openrouter/anthropic/claude-sonnet-5.5";
  expect(faultOf(await outcomeOf({ status: 403, body }, { id })).kind).toBe("filtered");
});

test("a limit in the middle of a stream is one", async () => {
  const garbage = `data: ${JSON.stringify({ error: { code: 429, message: "slow down" } })}\n\ndata: [DONE]\n\n`;
  expect(faultOf(await outcomeOf({ garbage }, { id: "openrouter/openai/gpt-6-luna" })).kind).toBe("limit");
});

test("a server that is not there costs nothing", async () => {
  const lab = await openLab(() => ({ text: "never" }));
  const { models } = labModels(lab, [sonnet]);
  await labs.pop()?.close();
  const outcome = await models.call(refOf(sonnet), makeRequest(), never);
  expect(faultOf(outcome)).toMatchObject({ kind: "transient", why: expect.stringContaining("ECONNREFUSED") });
  expect(outcome.usage).toEqual(free);
});

test("a server that sends us elsewhere is not followed: it would be handed the key", async () => {
  const elsewhere = await openLab(() => ({ text: "thank you for the key" }));
  const outcome = await outcomeOf({ status: 307, headers: { location: `${elsewhere.baseUrl("anthropic")}/messages` } });
  expect(faultOf(outcome).kind).toBe("transient");
  expect(elsewhere.requests).toEqual([]);
});

describe("silence counts as lost", () => {
  const timeouts = { tellMs: 50, answerMs: 150, totalMs: 5_000 };
  test("when no word comes", async () => {
    const outcome = await outcomeOf({ text: "one two", slowMs: 1_000 }, { timeouts });
    expect([faultOf(outcome), outcome.usage]).toEqual([{ kind: "silent", why: "no answer in time" }, "unknown"]);
  });
  test("when words stop coming", async () => {
    const lab = await openLab(async (_request, at) => {
      if (at > 0) await sleep(1);
      return { text: "one two three", slowMs: 100 };
    });
    const { models } = labModels(lab, [sonnet], { timeouts: { ...timeouts, answerMs: 60 } });
    expect(faultOf(await models.call(refOf(sonnet), makeRequest(), never))).toMatchObject({ kind: "silent" });
  });
  test("when it takes too long as a whole", async () => {
    const outcome = await outcomeOf(
      { text: "one two three four five six seven", slowMs: 60 },
      { timeouts: { tellMs: 1_000, answerMs: 2_000, totalMs: 250 } },
    );
    expect(faultOf(outcome)).toMatchObject({ kind: "silent", why: "no answer in time" });
  });
});

test("a call that is given up is no answer, and is paid at its reservation", async () => {
  const lab = await openLab(() => ({ text: "one two three four", slowMs: 100 }));
  const { models } = labModels(lab, [sonnet]);
  const stop = new AbortController();
  const outcome = models.call(refOf(sonnet), makeRequest(), stop.signal, () => stop.abort());
  expect(await outcome).toMatchObject({ kind: "fault", usage: "unknown" });
});

test("a call that was given up before it was sent costs nothing", async () => {
  const lab = await openLab(() => ({ text: "one" }));
  const { models } = labModels(lab, [sonnet]);
  expect(await models.call(refOf(sonnet), makeRequest(), AbortSignal.abort())).toMatchObject({ usage: free });
  expect(lab.requests).toEqual([]);
});

test("broken arguments under an unknown end are no answer", async () => {
  const reply = { toolCalls: [{ name: "note", args: '{"text": "2.' }], finish: "none" } as const;
  expect((await outcomeOf(reply, { id: "openai-compatible/house-model" })).kind).not.toBe("answered");
});
