import { afterEach, describe, expect, test } from "vitest";
import type { ModelOutcome } from "../../src/llm/model.ts";
import { type Lab, type LabOptions, startLab } from "./lab.ts";
import { canaryKey, labModels, labPrices, makeRequest, players, refOf } from "./lab-models.ts";

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
const noteTool = {
  name: "note",
  description: "Writes a note",
  schema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
};

function answerOf(outcome: ModelOutcome) {
  if (outcome.kind !== "answered") throw new Error(`a fault: ${JSON.stringify(outcome)}`);
  return outcome;
}

describe.each(players)("$id", ({ id }) => {
  test("answers with words, which are heard as they come", async () => {
    const lab = await openLab(() => ({ text: "First measure, then cut.", usage: { input: 1_234, output: 56 } }));
    const { models } = labModels(lab, [id]);
    const heard: string[] = [];
    const { answer, usage } = answerOf(await models.call(refOf(id), makeRequest(), never, (part) => heard.push(part)));
    expect(answer).toMatchObject({ text: "First measure, then cut.", toolCalls: [] });
    expect(heard.length).toBeGreaterThan(1);
    expect(heard.join("")).toBe(answer.text);
    expect(usage).toMatchObject({ inputTokens: 1_234, outputTokens: 56 });
    expect(lab.requests[0]).toMatchObject({ isStream: true, system: "You plan." });
    // Models that always think get room for it.
    expect(lab.requests[0]?.maxOutputTokens).toBe(id.startsWith("openai-compatible/") ? 500 : 8_000);
    expect(lab.requests[0]?.messages).toEqual([{ role: "user", text: "What is next?", toolCalls: [] }]);
  });

  test("costs what the lab's books say, to the micro-dollar", async () => {
    const usages = [
      { input: 1, output: 1 },
      { input: 3_333, output: 777 },
      { input: 10_001, output: 99, cacheRead: 7_003 },
      { input: 99_999, output: 12_345, cacheRead: 1 },
      ...(id.startsWith("anthropic/") ? [{ input: 5_000, output: 10, cacheRead: 1_000, cacheWrite: 3_001 }] : []),
    ];
    const lab = await openLab((_request, at) => ({ text: "done", usage: usages[at] ?? null }));
    const { models } = labModels(lab, [id]);
    const paid: number[] = [];
    for (const _ of usages) paid.push(answerOf(await models.call(refOf(id), makeRequest(), never)).usage.costMicroUsd);
    expect(paid).toEqual(lab.ledger.entries.map(({ costMicroUsd }) => costMicroUsd));
    expect(paid.every((cost) => cost > 0)).toBe(true);
  });

  test("calls tools, and gets their results in the next request", async () => {
    const lab = await openLab((_request, at) =>
      at === 0
        ? { text: "I write it down.", toolCalls: [{ name: "note", args: { text: "2.4 m" } }] }
        : { text: "Done." },
    );
    const { models } = labModels(lab, [id]);
    const request = makeRequest({ tools: [noteTool] });
    const { answer } = answerOf(await models.call(refOf(id), request, never));
    expect(answer.toolCalls).toMatchObject([{ tool: "note", args: { text: "2.4 m" } }]);
    expect(lab.requests[0]?.tools).toEqual(["note"]);
    const [call] = answer.toolCalls;
    const results = [{ callId: call?.callId ?? "", tool: "note", text: "written as n-17", isError: false }];
    const next = [...request.messages, { role: "assistant" as const, ...answer }, { role: "tool" as const, results }];
    expect(answerOf(await models.call(refOf(id), { ...request, messages: next }, never)).answer.text).toBe("Done.");
    const sent = lab.requests[1]?.messages ?? [];
    expect(sent.flatMap(({ toolCalls }) => toolCalls)).toEqual([{ name: "note", args: { text: "2.4 m" } }]);
    expect(sent.find(({ role }) => role === "tool")?.text).toContain("written as n-17");
  });

  test("several tools at once keep their order and their own ids", async () => {
    const toolCalls = [1, 2, 3].map((n) => ({ name: "note", args: { text: `n${n}` } }));
    const lab = await openLab(() => ({ toolCalls }));
    const { models } = labModels(lab, [id]);
    const { answer } = answerOf(await models.call(refOf(id), makeRequest({ tools: [noteTool] }), never));
    expect(answer.toolCalls.map(({ args }) => args)).toEqual(toolCalls.map(({ args }) => args));
    expect(new Set(answer.toolCalls.map(({ callId }) => callId)).size).toBe(3);
  });

  test("answers with JSON as it was written", async () => {
    const written = '{"steps":[{"title":"Größe messen"}]}';
    const lab = await openLab(() => ({ text: written }));
    const { models } = labModels(lab, [id]);
    const request = makeRequest({ format: "json", system: "Answer in JSON." });
    expect(answerOf(await models.call(refOf(id), request, never)).answer.text).toBe(written);
    const isAsked = ["openrouter", "openai", "google"].includes(refOf(id).provider);
    expect(lab.requests[0]?.wantsJson).toBe(isAsked);
  });

  test("sends its key in a header and nowhere else", async () => {
    const lab = await openLab(() => ({ text: "fine" }));
    const { models } = labModels(lab, [id]);
    await models.call(refOf(id), makeRequest(), never);
    const [request] = lab.requests;
    expect(Object.values(request?.headers ?? {})).toContain("(a key)");
    expect(JSON.stringify(request)).not.toContain(canaryKey);
  });
});

test("tool arguments that are no JSON come as they were written, for the repair", async () => {
  const id = "openai-compatible/house-model";
  const lab = await openLab(() => ({ toolCalls: [{ name: "note", args: '{"text": 2.4 m}' }] }));
  const { models } = labModels(lab, [id]);
  const { answer } = answerOf(await models.call(refOf(id), makeRequest({ tools: [noteTool] }), never));
  expect(answer.toolCalls).toMatchObject([{ tool: "note", args: '{"text": 2.4 m}' }]);
});

test("a tool that was not offered is still told of", async () => {
  const id = "anthropic/claude-sonnet-5-5";
  const lab = await openLab(() => ({ toolCalls: [{ name: "fly", args: { to: "moon" } }] }));
  const { models } = labModels(lab, [id]);
  const { answer } = answerOf(await models.call(refOf(id), makeRequest({ tools: [noteTool] }), never));
  expect(answer.toolCalls).toMatchObject([{ tool: "fly", args: { to: "moon" } }]);
});

test("who pays whom is told apart: the provider's figure, our table, nothing, nobody knows", async () => {
  const ids = [
    "openrouter/anthropic/claude-sonnet-5.5",
    "anthropic/claude-sonnet-5-5",
    "ollama/qwen3",
    "openai/gpt-unheard-of",
    "openai-compatible/nameless",
    "demo/rules",
  ] as const;
  const lab = await openLab(() => ({ text: "fine", usage: { input: 100, output: 10 } }));
  const { models } = labModels(lab, [...ids.slice(0, 5)] as unknown as [string]);
  const priced: unknown[] = [];
  for (const id of ids) {
    const { usage } = answerOf(await models.call(refOf(id), makeRequest(), never));
    priced.push([usage.pricedBy, usage.costMicroUsd]);
  }
  expect(priced).toEqual([
    ["provider", 300],
    ["table", 300],
    ["free", 0],
    ["unpriced", 0],
    ["unpriced", 0],
    ["free", 0],
  ]);
});

test("an answer without figures is paid at its reservation, never at nothing", async () => {
  const id = "google/gemini-3.8-flash";
  const lab = await openLab(() => ({ text: "fine", usage: null }));
  const { models } = labModels(lab, [id]);
  const { usage } = answerOf(await models.call(refOf(id), makeRequest(), never));
  expect(usage).toMatchObject({
    pricedBy: "reservation",
    costMicroUsd: models.reservationOf(refOf(id), makeRequest()),
  });
  expect(usage.costMicroUsd).toBeGreaterThan(0);
});

test("a call that is not streamed is answered, too, in every protocol", async () => {
  const lab = await openLab(() => ({ text: "whole", toolCalls: [{ name: "note", args: { text: "x" } }] }));
  const post = async (provider: string, path: string, body: object) => {
    const response = await fetch(`${lab.baseUrl(provider)}${path}`, { method: "POST", body: JSON.stringify(body) });
    return JSON.stringify(await response.json());
  };
  const answers = [
    await post("openrouter", "/chat/completions", { model: "m", messages: [] }),
    await post("openai", "/responses", { model: "m", input: [] }),
    await post("anthropic", "/messages", { model: "m", messages: [] }),
    await post("google", "/models/m:generateContent", { contents: [] }),
  ];
  expect(answers.filter((answer) => answer.includes("whole") && answer.includes("note"))).toHaveLength(4);
});
