import { describe, expect, test } from "vitest";
import {
  answerIn,
  callFake,
  chatCall,
  chatChunk,
  chatText,
  claudeEvents,
  claudeText,
  conversation,
  type FakeReply,
  noteTool,
} from "../../test/helpers/fake-provider.ts";
import type { ModelMessage } from "./model.ts";

const claude = "anthropic/claude-sonnet-5-5";
const router = "openrouter/anthropic/claude-sonnet-5.5";
const house = "openai-compatible/house-model";
const gemini = "google/gemini-3.8-flash";
const gpt = "openai/gpt-6.1-sol";
const tools = [noteTool];

const claudeCall = claudeEvents(
  [
    { start: { type: "thinking", thinking: "" }, deltas: [{ type: "signature_delta", signature: "sig-1" }] },
    { start: { type: "text", text: "" }, deltas: [{ type: "text_delta", text: "\n\n" }] },
    {
      start: { type: "tool_use", id: "toolu_1", name: "note", input: {} },
      deltas: [{ type: "input_json_delta", partial_json: '{"text":"a"}' }],
    },
  ],
  "tool_use",
);

const openAiCall: FakeReply = {
  events: [
    { type: "response.created", response: { id: "r1", created_at: 1, model: "gpt-6.1-sol" } },
    {
      type: "response.output_item.added",
      output_index: 0,
      item: { type: "reasoning", id: "rs_1", encrypted_content: null },
    },
    {
      type: "response.output_item.done",
      output_index: 0,
      item: { type: "reasoning", id: "rs_1", encrypted_content: "cipher", summary: [] },
    },
    {
      type: "response.output_item.added",
      output_index: 1,
      item: { type: "function_call", id: "fc_1", call_id: "call_1", name: "note", arguments: "" },
    },
    {
      type: "response.output_item.done",
      output_index: 1,
      item: {
        type: "function_call",
        id: "fc_1",
        call_id: "call_1",
        name: "note",
        arguments: '{"text":"a"}',
        status: "completed",
      },
    },
    {
      type: "response.completed",
      response: {
        incomplete_details: null,
        usage: { input_tokens: 10, output_tokens: 5, input_tokens_details: { cached_tokens: 4 } },
      },
    },
  ],
};

const geminiCall: FakeReply = {
  events: [
    {
      candidates: [
        {
          content: {
            role: "model",
            parts: [{ functionCall: { name: "note", args: { text: "a" } }, thoughtSignature: "sig-g" }],
          },
          finishReason: "STOP",
        },
      ],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
    },
  ],
};

const detail = { type: "reasoning.encrypted", data: "cipher", format: "openai-responses-v1", id: "rs_1", index: 0 };

describe("what a provider wants back is sent back, after the journal", () => {
  const sentAfter = async (id: string, reply: FakeReply, next: FakeReply) => {
    const answer = answerIn(await callFake(id, [reply], { tools }));
    const { sent } = await callFake(id, [next], { tools, messages: conversation(answer) });
    return { answer, body: sent[0] ?? {} };
  };

  test("Claude's signature, without the blank text that Claude itself would refuse", async () => {
    const { answer, body } = await sentAfter(claude, claudeCall, claudeText("ok"));
    expect(answer.toolCalls).toEqual([{ callId: "toolu_1", tool: "note", args: { text: "a" } }]);
    expect((body.messages as unknown[])[1]).toEqual({
      role: "assistant",
      content: [
        { type: "thinking", thinking: "", signature: "sig-1" },
        expect.objectContaining({ type: "tool_use", id: "toolu_1", input: { text: "a" } }),
      ],
    });
  });

  test("OpenAI's encrypted reasoning, with nothing kept there", async () => {
    const { body } = await sentAfter(gpt, openAiCall, openAiCall);
    expect(body).toMatchObject({ store: false, prompt_cache_key: "lab" });
    expect(body.input).toContainEqual(expect.objectContaining({ type: "reasoning", encrypted_content: "cipher" }));
    expect(body.input).toContainEqual(expect.objectContaining({ type: "function_call_output", call_id: "call_1" }));
  });

  test("Gemini's thought signature", async () => {
    const { body } = await sentAfter(gemini, geminiCall, geminiCall);
    expect(JSON.stringify(body.contents)).toContain('"thoughtSignature":"sig-g"');
  });

  test("OpenRouter's details of a call", async () => {
    const reply = {
      events: [
        chatChunk({ reasoning_details: [detail] }),
        chatChunk(chatCall('{"text":"a"}')),
        chatChunk({}, "tool_calls"),
      ],
    };
    const { body } = await sentAfter(router, reply, chatText("ok"));
    expect((body.messages as unknown[])[2]).toMatchObject({ role: "assistant", reasoning_details: [detail] });
  });

  test("OpenRouter's encrypted details of an answer in words", async () => {
    const reply = {
      events: [chatChunk({ reasoning_details: [detail] }), chatChunk({ content: "Yes." }), chatChunk({}, "stop")],
    };
    const { body } = await sentAfter(router, reply, chatText("ok"));
    expect((body.messages as unknown[])[2]).toMatchObject({ role: "assistant", reasoning_details: [detail] });
  });

  test("the reasoning of a compatible server", async () => {
    const reply = {
      events: [
        chatChunk({ reasoning_content: "Hm." }),
        chatChunk(chatCall('{"text":"a"}')),
        chatChunk({}, "tool_calls"),
      ],
    };
    const { body } = await sentAfter(house, reply, chatText("ok"));
    expect(JSON.stringify(body.messages)).toContain('"reasoning_content":"Hm."');
  });
});

describe("another provider or model gets plain text and calls", () => {
  const secrets = /sig-1|cipher|reasoning|thinking|thought/i;
  const afterClaude = async (id: string, reply: FakeReply) => {
    const answer = answerIn(await callFake(claude, [claudeCall], { tools }));
    const { sent } = await callFake(id, [reply], { tools, messages: conversation(answer) });
    return JSON.stringify(sent[0]?.messages ?? sent[0]?.contents ?? sent[0]?.input);
  };
  test.each([
    [house, chatText("ok")],
    [router, chatText("ok")],
    [gpt, openAiCall],
    ["anthropic/claude-haiku-5-5", claudeText("ok")],
  ] as const)("%s", async (id, reply) => {
    const sent = await afterClaude(id, reply);
    expect(sent).toContain("toolu_1");
    expect(sent).not.toMatch(secrets);
  });
  test("Gemini gets the sentinel for calls that it has not signed", async () => {
    expect(await afterClaude(gemini, geminiCall)).not.toMatch(/sig-1|"thought":true/);
  });

  test("ids are made to fit, for a call and its result alike, and the same ones each time", async () => {
    const kimi = {
      events: [chatChunk(chatCall('{"text":"a"}', { id: "functions.note:0" })), chatChunk({}, "tool_calls")],
    };
    const answer = answerIn(await callFake(house, [kimi], { tools }));
    expect(answer.toolCalls[0]?.callId).toBe("functions.note:0");
    const idsOf = async () => {
      const { sent } = await callFake(claude, [claudeText("ok")], { tools, messages: conversation(answer) });
      return JSON.stringify(sent[0]?.messages)
        .match(/"(?:id|tool_use_id)":"[^"]*"/g)
        ?.map((text) => text.split('"')[3]);
    };
    const ids = await idsOf();
    expect(ids).toEqual([expect.stringMatching(/^[A-Za-z0-9_-]{1,64}$/), ids?.[0]]);
    expect(await idsOf()).toEqual(ids);
  });

  test("the same id in two answers is two ids", async () => {
    const turn: readonly ModelMessage[] = [
      { role: "assistant", text: "", toolCalls: [{ callId: "c", tool: "note", args: { text: "a" } }], native: null },
      { role: "tool", results: [{ callId: "c", tool: "note", text: "done", isError: false }] },
    ];
    const messages = [{ role: "user" as const, text: "Go." }, ...turn, ...turn];
    const { sent } = await callFake(claude, [claudeText("ok")], { tools, messages });
    const ids = JSON.stringify(sent[0]?.messages).match(/"id":"[^"]*"/g);
    expect(new Set(ids).size).toBe(2);
  });
});

describe("what a provider would refuse is never sent", () => {
  const sentOf = async (messages: readonly ModelMessage[], id = claude) => {
    const { sent } = await callFake(id, [id === claude ? claudeText("ok") : chatText("ok")], { tools, messages });
    return sent[0]?.messages as { role: string; content: unknown }[];
  };
  const call = { callId: "c1", tool: "note", args: { text: "a" } };
  const open: ModelMessage = { role: "assistant", text: "", toolCalls: [call], native: null };

  test("an open call: it gets an error as its result", async () => {
    const sent = await sentOf([{ role: "user", text: "Go." }, open, { role: "user", text: "Well?" }]);
    expect(JSON.stringify(sent[2])).toMatch(/"tool_use_id":"c1".*not carried out.*"is_error":true/);
  });
  test("an open call at the very end", async () => {
    const sent = await sentOf([{ role: "user", text: "Go." }, open]);
    expect(sent.at(-1)?.role).toBe("user");
  });
  test("a result without a call", async () => {
    const results = [{ callId: "gone", tool: "note", text: "done", isError: false }];
    const sent = await sentOf([
      { role: "user", text: "Go." },
      { role: "tool", results },
    ]);
    expect(JSON.stringify(sent)).not.toContain("gone");
  });
  test("blank text, and an answer that is nothing else", async () => {
    const blank: ModelMessage = { role: "assistant", text: " \n", toolCalls: [], native: null };
    const sent = await sentOf([{ role: "user", text: "Go." }, blank, { role: "user", text: "Well?" }]);
    expect(sent.some(({ role }) => role === "assistant")).toBe(false);
  });
  test("an assistant's message at the end", async () => {
    const said: ModelMessage = { role: "assistant", text: "Half", toolCalls: [], native: null };
    const sent = await sentOf([{ role: "user", text: "Go." }, said]);
    expect(sent.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  });
  test("two user messages in a row to a server whose template wants turns", async () => {
    const sent = await sentOf(
      [
        { role: "user", text: "One." },
        { role: "user", text: "Two." },
      ],
      house,
    );
    expect(sent.filter(({ role }) => role === "user")).toEqual([{ role: "user", content: "One.\n\nTwo." }]);
  });
});

describe("reasoning that is refused is left out once", () => {
  const refusals = [
    [
      claude,
      "messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation",
    ],
    [claude, "thinking or redacted_thinking blocks in the latest assistant message cannot be modified"],
    [claude, "Corrupted thought signature."],
    [claude, "invalid_encrypted_content"],
  ] as const;
  test.each(refusals)("%s: %s", async (id, message) => {
    const answer = answerIn(await callFake(id, [claudeCall], { tools }));
    const refusal = { status: 400, body: { type: "error", error: { type: "invalid_request_error", message } } };
    const told = await callFake(id, [refusal, claudeText("ok")], { tools, messages: conversation(answer) });
    expect(answerIn(told).text).toBe("ok");
    expect(told.sent.map((body) => JSON.stringify(body).includes("sig-1"))).toEqual([true, false]);
  });
  test("a second refusal is the fault", async () => {
    const body = { type: "error", error: { type: "invalid_request_error", message: "invalid_encrypted_content" } };
    const refusal = { status: 400, body };
    const { outcome, sent } = await callFake(claude, [refusal, refusal], {});
    expect(outcome).toMatchObject({ kind: "fault", fault: { kind: "refused" } });
    expect(sent).toHaveLength(2);
  });
});

test("cached and written tokens are read", async () => {
  const { outcome } = await callFake(gpt, [openAiCall], { tools });
  expect(outcome.usage).toMatchObject({ inputTokens: 10, cachedTokens: 4, writtenTokens: 0 });
});

describe("a provider that misses reasoning gets what there is, and is known from then on", () => {
  const refusal = (message: string) => ({ status: 400, body: { error: { message } } });
  const answers = async (id: string, messages: readonly ModelMessage[], words: string) => {
    const modelsWantingReasoning = new Set<string>();
    const options = { modelsWantingReasoning };
    const first = await callFake(id, [refusal(words), chatText("ok")], { tools, messages }, options);
    const later = await callFake(id, [chatText("ok")], { tools, messages }, options);
    expect(first.outcome.kind).toBe("answered");
    return [...first.sent, ...later.sent].map(({ messages: sent }) => JSON.stringify(sent));
  };

  test("DeepSeek: a placeholder with calls of another provider", async () => {
    const answer = answerIn(await callFake(claude, [claudeCall], { tools }));
    const words = "Missing `reasoning_content` field in the assistant message at message index 1.";
    const sent = await answers(house, conversation(answer), words);
    expect(sent.map((text) => text.includes('"reasoning_content":'))).toEqual([false, true, true]);
  });

  test("OpenRouter: details of an exchange that is over", async () => {
    const details = [{ type: "reasoning.encrypted", data: "cipher", format: "openai-responses-v1", index: 0 }];
    const reply = {
      events: [chatChunk({ content: "Yes.", reasoning_details: details }), chatChunk({}, "stop"), "[DONE]"],
    };
    const { text, native } = answerIn(await callFake(router, [reply]));
    const over: ModelMessage = { role: "assistant", text, toolCalls: [], native: null, earlierNative: native };
    const messages: readonly ModelMessage[] = [{ role: "user", text: "Go." }, over, { role: "user", text: "And?" }];
    const words = "Reasoning is missing: `reasoning_details` must be sent back unchanged.";
    const sent = await answers(router, messages, words);
    expect(sent.map((each) => each.includes("cipher"))).toEqual([false, true, true]);
  });
});
