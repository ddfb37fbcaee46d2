import type { ModelMessage } from "ai";
import { describe, expect, test } from "vitest";
import type { LabMode, SloppyWay } from "./lab-mode.ts";
import { type LabReply, record, records } from "./lab-protocol.ts";
import { ask, post, rawLab, readError, resultsFor, sdkModel } from "./raw-lab.ts";
import { callTool, playTurns } from "./script.ts";

const { open, checkRefusal } = rawLab();
const provider = "openai-compatible";
const model = "house-model";
const user = { role: "user", content: "Go on." };
const first: ModelMessage = { role: "user", content: "Go on." };
const notes = [callTool("note", { text: "a" }), callTool("note", { text: "b" })];
const callsIn = (events: readonly Record<string, unknown>[]) =>
  events.flatMap(({ choices }) => records(record(records(choices)[0]?.delta).tool_calls));

describe("compat-sloppy", () => {
  const sloppy = (...ways: SloppyWay[]) => ({ mode: "compat-sloppy", ways }) as const;
  const hear = async (mode: LabMode, reply: LabReply = { toolCalls: notes }) => {
    const lab = await open({ script: () => reply, modes: [mode] });
    const { events } = await post(lab, provider, { model, stream: true, messages: [user] });
    return { events, sdk: await ask(sdkModel(lab, provider, model), [first]) };
  };

  test("no ids, all at index 0, `stop`: the SDK makes two calls of it all the same", async () => {
    const { events, sdk } = await hear(sloppy("no-ids", "index-0", "stop"));
    expect(callsIn(events).map(({ id, index }) => [id, index])).toEqual([
      [undefined, 0],
      [undefined, 0],
    ]);
    expect(events.map(({ choices }) => records(choices)[0]?.finish_reason).filter(Boolean)).toEqual(["stop"]);
    expect(sdk.calls.map(({ input }) => input)).toEqual([{ text: "a" }, { text: "b" }]);
  });

  test("arguments as an object: the SDK loses the call", async () => {
    const { events, sdk } = await hear(sloppy("object-arguments"));
    expect(callsIn(events).map((call) => record(call.function).arguments)).toEqual([{ text: "a" }, { text: "b" }]);
    expect(sdk.errors[0]).toMatchObject({ name: "AI_TypeValidationError" });
  });

  test("no usage", async () => {
    const { events, sdk } = await hear(sloppy("no-usage"), { text: "one" });
    expect(events.filter(({ usage }) => usage !== undefined)).toEqual([]);
    expect(sdk.usage?.inputTokens).toBeUndefined();
  });

  test("an error that is only a text", async () => {
    const { events, sdk } = await hear(sloppy("error-text"), { text: "one" });
    expect(events.at(-1)).toEqual({ error: "the model crashed" });
    expect(sdk.errors).toHaveLength(1);
  });

  test("all of it at once unless told otherwise", async () => {
    const { events } = await hear({ mode: "compat-sloppy" });
    expect(callsIn(events)).toMatchObject([{ index: 0, function: { arguments: { text: "a" } } }, { index: 0 }]);
  });
});

test("compat-text-call: calls and thoughts stand in the content", async () => {
  const modes = [{ mode: "compat-text-call" }] as const;
  const lab = await open({
    script: () => ({ reasoning: [{ text: "Hm." }], text: "So:", toolCalls: notes.slice(1) }),
    modes,
  });
  const { text, finish, calls } = await ask(sdkModel(lab, provider, model), [first]);
  expect(text).toBe(
    '<think>\nHm.\n</think>\n\nSo:\n<tool_call>\n{"name": "note", "arguments": {"text":"b"}}\n</tool_call>',
  );
  expect([finish, calls]).toEqual(["stop", []]);
});

describe("ollama-4k", () => {
  const modes = [{ mode: "ollama-4k" }] as const;
  const long = (words: string) => ({ role: "user", content: `${words} ${"x ".repeat(3_500)}` });
  const talk = [
    { role: "system", content: "You plan." },
    ...["one", "two", "three"].flatMap((name) => [long(name), { role: "assistant", content: "Yes." }]),
    user,
  ];
  const tools = [{ type: "function", function: { name: "note", parameters: { type: "object" } } }];

  test("what is too long loses its front, and only the count tells", async () => {
    const seen: unknown[] = [];
    const lab = await open({
      modes,
      script: (request) => {
        seen.push([request.system, request.tools, request.messages.map(({ text }) => text.split(" ")[0])]);
        return { text: "fine" };
      },
    });
    const { status, body } = await post(lab, provider, { model, tools, messages: talk });
    expect([status, record(body.usage).prompt_tokens]).toEqual([200, 2_048]);
    expect(seen).toEqual([["", [], ["Yes.", "three", "Yes.", "Go"]]]);
    expect(lab.requests[0]?.system).toBe("You plan.");
  });

  test("what fits is read and counted whole", async () => {
    const lab = await open({ modes, script: ({ system }) => ({ text: system }) });
    const messages = [talk[0], user];
    const { body } = await post(lab, provider, { model, messages });
    expect(record(records(body.choices)[0]?.message).content).toBe("You plan.");
    expect(record(body.usage).prompt_tokens).toBe(Math.ceil(JSON.stringify({ model, messages }).length / 4));
  });
});

describe("servers that refuse what others take", () => {
  const call = { id: "c1", type: "function", function: { name: "note", arguments: "{}" } };
  const result = { role: "tool", tool_call_id: "c1", content: "ok" };
  const called = (more: object) => ({ role: "assistant", content: null, tool_calls: [call], ...more });
  const talk = (...messages: object[]) => ({ model, messages: [user, ...messages] });
  const tools = [{ type: "function", function: { name: "note", parameters: { type: "object" } } }];

  test("deepseek-reasoning: calls of this turn come back with what was thought", () =>
    checkRefusal(
      provider,
      [talk(called({}), result), talk(called({ reasoning_content: "Hm." }), result)],
      ["missing-reasoning", "Missing `reasoning_content` field in the assistant message at message index 1"],
      [{ mode: "deepseek-reasoning" }],
    ));

  test("deepseek-reasoning: those of earlier turns need not", async () => {
    const lab = await open({ script: () => ({ text: "fine" }), modes: [{ mode: "deepseek-reasoning" }] });
    expect(readError(await post(lab, provider, talk(called({}), result, user)))).toBe("200 ");
  });

  test("deepseek-reasoning: the SDK sends it back", async () => {
    const script = playTurns({ toolCalls: notes }, { text: "Done." });
    const lab = await open({ script, modes: [{ mode: "deepseek-reasoning" }] });
    const deepseek = sdkModel(lab, provider, model);
    const one = await ask(deepseek, [first]);
    const stored = JSON.parse(JSON.stringify(one.messages)) as ModelMessage[];
    expect((await ask(deepseek, [first, ...stored, resultsFor(one.calls)])).text).toBe("Done.");
    expect([lab.refusals, lab.requests[1]?.turns[1]?.reasoning]).toEqual([[], "Let me think."]);
  });

  test("roles-alternate: two user messages in a row", () =>
    checkRefusal(
      provider,
      [talk(called({}), result, { role: "assistant", content: "So." }, user, user), talk(called({}), result)],
      ["roles-alternate", "roles must alternate user/assistant/user/assistant/..."],
      [{ mode: "roles-alternate" }],
    ));

  test("vllm-no-parser: tools without a parser", () =>
    checkRefusal(
      provider,
      [{ ...talk(), tools, tool_choice: "auto" }, talk()],
      ["no-parser", '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'],
      [{ mode: "vllm-no-parser" }],
    ));

  test("a mode of one answer refuses, too", async () => {
    const lab = await open(() => ({ text: "never", modes: [{ mode: "roles-alternate" }] }));
    expect(readError(await post(lab, provider, talk(user)))).toContain("400 Conversation roles must alternate");
    expect(lab.refusals).toHaveLength(1);
  });
});

test("cut off in the middle of a call: `length` and half the arguments", async () => {
  const lab = await open(() => ({ toolCalls: notes, finish: "length", isHalf: true }));
  const { events } = await post(lab, provider, { model, stream: true, messages: [user] });
  expect(callsIn(events).map((call) => record(call.function).arguments)).toEqual(['{"text":"a"}', '{"text']);
  expect((await ask(sdkModel(lab, provider, model), [first])).finish).toBe("length");
});
