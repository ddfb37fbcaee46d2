import type { ModelMessage } from "ai";
import { describe, expect, test } from "vitest";
import { record, records } from "./lab-protocol.ts";
import { ask, post, rawLab, readError, resultsFor, sdkModel } from "./raw-lab.ts";
import { callTool, playTurns } from "./script.ts";

const { open } = rawLab();
const model = "openai/gpt-6-luna";
const user = { role: "user", content: "Go on." };
const first: ModelMessage = { role: "user", content: "Go on." };
const long = [callTool("note", { text: "a long note" })];
const deltaOf = (event: Record<string, unknown>) => record(records(event.choices)[0]?.delta);
const finishOf = (event: Record<string, unknown>) => records(event.choices)[0]?.finish_reason;

describe("openrouter-half", () => {
  test("without finish_reason the SDK makes a valid call with no arguments of it", async () => {
    const modes = [{ mode: "openrouter-half", hasFinish: false }] as const;
    const lab = await open(() => ({ toolCalls: long, modes }));
    const { events } = await post(lab, "openrouter", { model, stream: true, messages: [user] });
    const args = events.flatMap((event) => records(deltaOf(event).tool_calls)).map((call) => record(call.function));
    expect(args).toEqual([{ name: "note", arguments: '{"text":"a ' }]);
    expect(events.map(finishOf).filter(Boolean)).toEqual([]);
    const half = await ask(sdkModel(lab, "openrouter", model), [first]);
    expect([half.finish, half.calls[0]?.input, half.calls[0]?.invalid]).toEqual(["tool-calls", {}, undefined]);
  });

  test("with it, too", async () => {
    const modes = [{ mode: "openrouter-half", hasFinish: true }] as const;
    const lab = await open(() => ({ toolCalls: long, modes }));
    const { events } = await post(lab, "openrouter", { model, stream: true, messages: [user] });
    expect(events.map(finishOf).filter(Boolean)).toEqual(["tool_calls"]);
    const half = await ask(sdkModel(lab, "openrouter", model), [first]);
    expect([half.finish, half.calls[0]?.input]).toEqual(["tool-calls", {}]);
  });
});

describe("openrouter-details", () => {
  const modes = [{ mode: "openrouter-details" }] as const;

  test.each([
    ["a call", { toolCalls: long }],
    ["text only", { text: "I think so." }],
  ])("%s: encrypted details come, and must come back", async (_name, reply) => {
    const lab = await open({ script: playTurns(reply, { text: "Done." }), modes });
    const { body } = await post(lab, "openrouter", { model, messages: [user] });
    const message = record(records(body.choices)[0]?.message);
    expect(message.reasoning_details).toMatchObject([{ type: "reasoning.encrypted", format: "openai-responses-v1" }]);
    const [call] = records(message.tool_calls);
    const next = call ? { role: "tool", tool_call_id: call.id, content: "ok" } : user;
    const again = (sent: object) => post(lab, "openrouter", { model, messages: [user, sent, next] });
    expect(readError(await again(message))).toBe("200 ");
    const { reasoning_details: _details, ...bare } = message;
    expect(readError(await again(bare))).toMatch(/^400 .*`reasoning_details` must be sent back unchanged/);
    const foreign = { role: "assistant", content: "Said by another model." };
    expect(readError(await post(lab, "openrouter", { model, messages: [user, foreign, user] }))).toBe("200 ");
    expect(lab.refusals).toMatchObject([{ rule: "missing-details", at: 2 }]);
  });

  test("of an answer that was cut off nothing has to come back", async () => {
    const lab = await open({ script: () => ({ text: "I think", finish: "length" }), modes });
    const { body } = await post(lab, "openrouter", { model, messages: [user] });
    const { reasoning_details: details, ...bare } = record(records(body.choices)[0]?.message);
    expect(records(details)).toHaveLength(1);
    expect(readError(await post(lab, "openrouter", { model, messages: [user, bare, user] }))).toBe("200 ");
  });

  test("through the SDK: those of a call are on the call", async () => {
    const lab = await open({ script: playTurns({ toolCalls: long }, { text: "Done." }), modes });
    const luna = sdkModel(lab, "openrouter", model);
    const one = await ask(luna, [first]);
    const stored = JSON.parse(JSON.stringify(one.messages)) as ModelMessage[];
    expect((await ask(luna, [first, ...stored, resultsFor(one.calls)])).text).toBe("Done.");
    expect(lab.refusals).toEqual([]);
  });

  test("through the SDK: those of a text are in the message it returns only if someone puts them there", async () => {
    const lab = await open({ script: playTurns({ text: "I think so." }, { text: "Done." }), modes });
    const luna = sdkModel(lab, "openrouter", model);
    const one = await ask(luna, [first]);
    const { errors } = await ask(luna, [first, ...one.messages, first]);
    expect(errors[0]).toMatchObject({ statusCode: 400 });
    const details = one.metadata?.openrouter?.reasoning_details ?? [];
    const mended = one.messages.map((message) => ({
      ...message,
      providerOptions: { openrouter: { reasoning_details: details } },
    })) as ModelMessage[];
    expect((await ask(luna, [first, ...mended, first])).text).toBe("Done.");
  });
});

describe("openrouter-inband", () => {
  test.each([
    [402, "Insufficient credits", {}],
    [403, "flagged by moderation", { reasons: ["violence"] }],
    [429, "Provider returned error", { retry_after_seconds: 20 }],
  ] as const)("%i inside a 200, after the first word", async (code, words, metadata) => {
    const lab = await open(() => ({ text: "one two", modes: [{ mode: "openrouter-inband", code }] }));
    const { status, events } = await post(lab, "openrouter", { model, stream: true, messages: [user] });
    expect([status, deltaOf(events[1] ?? {})]).toEqual([200, { content: "one " }]);
    expect(events[2]?.error).toMatchObject({ code, message: expect.stringContaining(words), metadata });
    const { errors } = await ask(sdkModel(lab, "openrouter", model), [first]);
    expect(errors[0]).toMatchObject({ statusCode: code, data: { metadata } });
    expect(lab.ledger.entries.map(({ state }) => state)).toEqual(["lost", "lost"]);
  });

  test("with metadata of the test's own", async () => {
    const modes = [{ mode: "openrouter-inband", code: 402, metadata: { limit: "daily" } }] as const;
    const lab = await open({ script: () => ({ text: "one" }), modes });
    const { events } = await post(lab, "openrouter", { model, stream: true, messages: [user] });
    expect(events[2]?.error).toMatchObject({ metadata: { limit: "daily" } });
  });
});

test("reasoning of Claude is text with a signature", async () => {
  const lab = await open(() => ({ reasoning: [{ text: "Hm." }], text: "So." }));
  const { body } = await post(lab, "openrouter", { model: "anthropic/claude-sonnet-5.5", messages: [user] });
  expect(records(body.choices)[0]?.message).toMatchObject({
    reasoning: "Hm.",
    reasoning_details: [{ type: "reasoning.text", text: "Hm.", signature: expect.any(String) }],
  });
});
