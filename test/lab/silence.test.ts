import { afterAll, describe, expect, test } from "vitest";
import type { Timeouts } from "../../src/llm/answer-limits.ts";
import type { ModelOutcome } from "../../src/llm/model.ts";
import { type Lab, startLab } from "./lab.ts";
import { labModels, labPrices, makeRequest, refOf } from "./lab-models.ts";
import type { LabAnswer } from "./lab-protocol.ts";

const labs: Lab[] = [];
afterAll(async () => {
  for (const lab of labs.splice(0)) await lab.close();
});

const sonnet = "anthropic/claude-sonnet-5-5";
const house = "openai-compatible/house-model";
/** Long enough for a busy machine to come to the first word. */
const short = { tellMs: 500, answerMs: 2_500, totalMs: 60_000 };
const long = { tellMs: 60_000, answerMs: 120_000, totalMs: 240_000 };

/** What was told while it was asked (a silence, or that something was heard), and what came of it. */
async function play(
  id: string,
  reply: LabAnswer,
  timeouts: Timeouts,
): Promise<{ told: readonly string[]; outcome: ModelOutcome }> {
  const lab = await startLab({ script: () => reply, prices: labPrices });
  labs.push(lab);
  const { models } = labModels(lab, [id], { timeouts });
  const told: string[] = [];
  const onSilence = (silentMs: number | null) => told.push(silentMs === null ? "heard" : "silent");
  const outcome = await models.call(refOf(id), makeRequest(), new AbortController().signal, () => {}, onSilence);
  return { told, outcome };
}

const ping = 'event: ping\ndata: {"type": "ping"}\n\n';
const empty = 'data: {"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":""}}]}\n\n';

describe("a model that hangs is told of, then given up and paid at its reservation", () => {
  test.concurrent.for<[string, string, LabAnswer, readonly string[]]>([
    ["before it answers at all", sonnet, { hang: { at: "headers" } }, ["silent"]],
    ["after its headers", sonnet, { hang: { at: 0 } }, ["silent"]],
    ["after its headers, in another protocol", house, { hang: { at: 0 } }, ["silent"]],
    ["in the middle of its answer", sonnet, { text: "one two three", hang: { at: 4 } }, ["heard", "silent"]],
    ["while it sends comments", house, { hang: { at: 0, keepAlive: ": OPENROUTER PROCESSING\n\n" } }, ["silent"]],
    ["while it sends pings", sonnet, { hang: { at: 1, keepAlive: ping } }, ["silent"]],
    ["while it sends empty words", house, { hang: { at: 0, keepAlive: empty } }, ["silent"]],
  ])("%s", async ([, id, reply, expected]) => {
    const { told, outcome } = await play(id, reply, short);
    expect(told.slice(-expected.length)).toEqual(expected);
    expect(outcome).toMatchObject({ fault: { kind: "silent", why: "no answer in time" }, usage: "unknown" });
  });
});

describe("one that answers is not, and is heard once", () => {
  test.concurrent.for<[string, LabAnswer]>([
    ["word by word", { text: "a b c d e f g h i j", slowMs: 5 }],
    ["with a call, which is content as well", { toolCalls: [{ name: "note", args: {} }] }],
    ["with nothing but thinking at first", { reasoning: [{ text: "Hm." }], text: "one" }],
  ])("%s", async ([, reply]) => {
    const { told, outcome } = await play(sonnet, reply, long);
    expect(outcome.kind).toBe("answered");
    expect(told).toEqual(["heard"]);
  });
});
