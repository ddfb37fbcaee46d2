import { describe, expect, test } from "vitest";
import { answerIn, callFake, chatText, conversation, noteTool } from "../../test/helpers/fake-provider.ts";

const house = "openai-compatible/house-model";
const tools = [noteTool];
const noted = [{ tool: "note", args: { text: "a" } }];

describe("a model that cannot call tools", () => {
  const modelsWithoutTools = new Set([house]);
  const ask = (text: string, more = {}) =>
    callFake(house, [chatText(text)], { tools, ...more }, { modelsWithoutTools });

  test("reads them in its instructions", async () => {
    const { sent } = await ask("ok");
    expect(sent[0]?.tools).toBeUndefined();
    expect(JSON.stringify(sent[0]?.messages)).toMatch(/You plan\..*tool_calls.*## note.*Writes it down/s);
  });
  test("calls with a JSON object, with words before it", async () => {
    const text = 'I write.\n```json\n{"tool_calls": [{"tool": "note", "args": {"text": "a"}}]}\n```';
    expect(answerIn(await ask(text))).toMatchObject({ text: "I write.", toolCalls: noted, native: null });
  });
  test("calls under other names for the same", async () => {
    const text = '{"tool_calls": [{"name": "note", "arguments": {"text": "a"},}]}';
    expect(answerIn(await ask(text)).toolCalls).toMatchObject(noted);
  });
  test("answers in words, and with an object that is no call", async () => {
    expect(answerIn(await ask("Done."))).toMatchObject({ text: "Done.", toolCalls: [] });
    expect(answerIn(await ask('{"verdict": true}'))).toMatchObject({ text: '{"verdict": true}', toolCalls: [] });
  });
  test("is cut off in the middle of a call", async () => {
    expect((await ask('{"tool_calls": [{"tool": "note", "args": {"te')).outcome.kind).toBe("cut_off");
  });
  test("gets results as messages, and its own calls as it wrote them", async () => {
    const answer = answerIn(await ask('{"tool_calls": [{"tool": "note", "args": {"text": "a"}}]}'));
    const { sent } = await ask("ok", { messages: conversation(answer) });
    expect(sent[0]?.messages).toEqual([
      expect.objectContaining({ role: "system" }),
      { role: "user", content: "What is next?" },
      { role: "assistant", content: '{"tool_calls":[{"tool":"note","args":{"text":"a"}}]}' },
      { role: "user", content: "Result of note:\ndone\n\nAnd now?" },
    ]);
  });
});

test.each([
  '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
  "registry.ollama.ai/library/gemma3:4b does not support tools",
])("a server that refuses tools is asked with text, and from then on: %s", async (message) => {
  const modelsWithoutTools = new Set<string>();
  const refusal = { status: 400, body: { error: { message, type: "BadRequestError", code: 400 } } };
  const told = await callFake(house, [refusal, chatText("ok")], { tools }, { modelsWithoutTools });
  expect(answerIn(told).text).toBe("ok");
  expect(told.sent.map((body) => body.tools !== undefined)).toEqual([true, false]);
  const next = await callFake(house, [chatText("ok")], { tools }, { modelsWithoutTools });
  expect(next.sent).toHaveLength(1);
});

describe("what a server leaves in the text", () => {
  const ask = (text: string, id = house) => callFake(id, [chatText(text)], { tools });
  test("calls in tags are calls", async () => {
    const text = 'Well.\n<tool_call>\n{"name": "note", "arguments": {"text": "a"}}\n</tool_call>';
    expect(answerIn(await ask(text))).toMatchObject({ text: "Well.", toolCalls: noted, native: null });
  });
  test("calls in Qwen's tags are calls", async () => {
    const text = "<tool_call>\n<function=note>\n<parameter=text>\na\n</parameter>\n</function>\n</tool_call>";
    expect(answerIn(await ask(text)).toolCalls).toMatchObject(noted);
  });
  test("half a call in tags is cut off", async () => {
    expect((await ask('<tool_call>{"name": "note", "argum')).outcome.kind).toBe("cut_off");
  });
  test("a tool that was not offered is text about one", async () => {
    const text = 'Write <tool_call>{"name": "fly", "arguments": {}}</tool_call> to fly.';
    expect(answerIn(await ask(text))).toMatchObject({ text, toolCalls: [] });
  });
  test("thinking in tags is left out, and goes not back", async () => {
    const answer = answerIn(await ask("<think>\nHm.\n</think>\n\nYes."));
    expect(answer).toMatchObject({ text: "Yes.", native: null });
  });
  test("nothing but thinking is no answer", async () => {
    expect((await ask("<think>Hm.</think>")).outcome).toMatchObject({ kind: "fault", fault: { kind: "transient" } });
  });
  test("other providers' texts stay as they are", async () => {
    const text = "<think>x</think> is a tag.";
    expect(answerIn(await ask(text, "openrouter/openai/gpt-6-luna")).text).toBe(text);
  });
});
