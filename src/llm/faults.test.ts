import { describe, expect, test } from "vitest";
import {
  callFake,
  chatCall,
  chatChunk,
  claudeEvents,
  claudeText,
  type FakeCall,
  type FakeReply,
  fakeNowMs,
  noteTool,
} from "../../test/helpers/fake-provider.ts";
import { defaultTimeouts } from "./answer-limits.ts";
import type { ModelRequest } from "./model.ts";

const claude = "anthropic/claude-sonnet-5-5";
const router = "openrouter/anthropic/claude-sonnet-5.5";
const house = "openai-compatible/house-model";
const gemini = "google/gemini-3.8-flash";
const gpt = "openai/gpt-6.1-sol";
const tools = [noteTool];

async function faultOf(id: string, reply: FakeReply, request: Partial<ModelRequest> = {}) {
  const { outcome } = await callFake(id, [reply], request);
  return outcome.kind === "fault" ? outcome.fault : outcome;
}
const check = async (id: string, reply: FakeReply, kind: string) =>
  expect(await faultOf(id, reply)).toMatchObject({ kind });

const claudeError = (status: number, message: string, type = "invalid_request_error"): FakeReply => ({
  status,
  body: { type: "error", error: { type, message } },
});
const openAiError = (status: number, message: string, code: string | null = null): FakeReply => ({
  status,
  body: { error: { message, type: "invalid_request_error", code } },
});
const geminiError = (status: number, message: string, details: readonly unknown[] = []): FakeReply => ({
  status,
  body: { error: { code: status, message, status: "INVALID_ARGUMENT", details } },
});

describe("a limit until a time", () => {
  const untilOf = async (id: string, reply: FakeReply) => {
    const fault = await faultOf(id, reply);
    return fault.kind === "limit" ? fault.untilMs - 1 : fault;
  };
  const perDay = (nameOfQuota: string) =>
    geminiError(429, "You exceeded your current quota", [
      { "@type": "type.googleapis.com/google.rpc.QuotaFailure", violations: [{ quotaId: nameOfQuota }] },
      { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "37s" },
    ]);

  test("Claude's spend limit ends on the day it names, as a 400", async () => {
    const said = "You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.";
    expect(await untilOf(claude, claudeError(400, said))).toBe(Date.UTC(2026, 11, 1));
  });
  test("Gemini's quota of a minute ends when it says", async () => {
    expect(await untilOf(gemini, perDay("GenerateRequestsPerMinutePerProject"))).toBe(fakeNowMs + 37_000);
  });
  test("Gemini's quota of a day ends at midnight in California, whatever seconds it names", async () => {
    // 12:00 UTC is 4:00 there in November.
    const reply = perDay("GenerateRequestsPerDayPerProjectPerModel-FreeTier");
    expect(await untilOf(gemini, reply)).toBe(Date.UTC(2026, 10, 16, 8));
  });
  test("OpenRouter's 402 with a time is a limit, without one the account is empty", async () => {
    const body = { error: { code: 402, message: "This request requires more credits" } };
    expect(await untilOf(router, { status: 402, body, headers: { "retry-after": "60" } })).toBe(fakeNowMs + 60_000);
    await check(router, { status: 402, body }, "quota");
  });
  test("OpenRouter names the seconds of a limit behind it", async () => {
    const body = { error: { code: 429, message: "Provider returned error", metadata: { retry_after_seconds: 20 } } };
    expect(await untilOf(router, { status: 429, body })).toBe(fakeNowMs + 20_000);
  });
  test("too many tokens per minute is a throttle, not a prompt that is too long", () =>
    check(gpt, openAiError(429, "Request too large: maximum context length of tokens per min"), "limit"));
});

describe("the key", () => {
  test.each([401, 403])("status %i", (status) => check(gpt, openAiError(status, "no"), "auth"));
  test("Gemini's wrong key is a 400", () =>
    check(gemini, geminiError(400, "API key not valid. Please pass a valid API key."), "auth"));
  test("Gemini's other 400s are not", () => check(gemini, geminiError(400, "Invalid value"), "refused"));
});

describe("the account is empty", () => {
  test.each([
    [gpt, openAiError(429, "You exceeded your current quota", "insufficient_quota")],
    [claude, claudeError(400, "Your credit balance is too low to access the Anthropic API.")],
    [router, { status: 402, body: { error: { code: 402, message: "Insufficient credits" } } }],
  ] as const)("%s", (id, reply) => check(id, reply, "quota"));
});

describe("refused", () => {
  test.each([400, 404, 422])("status %i", (status) => check(gpt, openAiError(status, "no such model"), "refused"));
});

describe("the prompt is too long", () => {
  test.each([
    [claude, claudeError(400, "prompt is too long: 213462 tokens > 200000 maximum")],
    [claude, claudeError(400, "input length and `max_tokens` exceed context limit: 190000 + 21333 > 200000")],
    [claude, claudeError(413, "Request exceeds the maximum size", "request_too_large")],
    [claude, { status: 413, body: "<html><head><title>413 Request Entity Too Large</title></head></html>" }],
    [gpt, openAiError(400, "Your input is long.", "context_length_exceeded")],
    [gpt, openAiError(400, "Your input exceeds the context window of this model.")],
    [gemini, geminiError(400, "The input token count (1200000) exceeds the maximum number of tokens allowed")],
    [house, openAiError(400, "This model's maximum context length is 8192 tokens.")],
    [house, openAiError(400, "request (9000 tokens) exceeds the available context size (4096 tokens)")],
    [house, { status: 400, body: { error: { code: 400, message: "too big", type: "exceed_context_size_error" } } }],
    [
      router,
      {
        status: 400,
        body: {
          error: {
            code: 400,
            message: "Provider returned error",
            metadata: { raw: '{"error":{"message":"prompt is too long: 9 > 5"}}' },
          },
        },
      },
    ],
  ] as const)("%s: %j", (id, reply) => check(id, reply, "too_long"));

  test("Claude's window is full in the middle of an answer", () =>
    check(claude, claudeEvents([], "model_context_window_exceeded"), "too_long"));

  const long = { messages: [{ role: "user" as const, text: "word ".repeat(4_000) }] };
  const counted = (prompt_tokens: number): FakeReply => ({
    events: [chatChunk({ content: "ok" }), chatChunk({}, "stop", { usage: { prompt_tokens, completion_tokens: 1 } })],
  });
  test("a server that counts less than half of what was sent has dropped the front of it", async () => {
    expect(await faultOf("ollama/qwen3", counted(2_048), long)).toMatchObject({
      kind: "too_long",
      why: expect.stringContaining("OLLAMA_CONTEXT_LENGTH"),
    });
  });
  test("one that counts about as much has not", async () =>
    expect(await faultOf("ollama/qwen3", counted(4_100), long)).toMatchObject({ kind: "answered" }));
  test("a short prompt says nothing", async () =>
    expect(await faultOf("ollama/qwen3", counted(1_000))).toMatchObject({ kind: "answered" }));
});

describe("filtered", () => {
  test("Claude's refusal", () => check(claude, claudeEvents([], "refusal"), "filtered"));
  test("Gemini's safety", () =>
    check(gemini, { events: [{ candidates: [{ content: { parts: [] }, finishReason: "SAFETY" }] }] }, "filtered"));
  test("Gemini's blocked prompt", () =>
    check(gemini, { events: [{ promptFeedback: { blockReason: "PROHIBITED_CONTENT" } }] }, "filtered"));
  test("a moderator at OpenRouter, which is not the key", () =>
    check(
      router,
      { status: 403, body: { error: { code: 403, message: "flagged", metadata: { reasons: ["x"] } } } },
      "filtered",
    ));
  test("an API that calls it a wrong request", () =>
    check(gpt, openAiError(400, "The response was filtered", "content_filter"), "filtered"));
});

describe("an error inside a stream that began well is read like any other", () => {
  test.each([
    [
      "overloaded as the first event",
      claude,
      { events: [{ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }] },
      "transient",
    ],
    [
      "OpenAI's window",
      gpt,
      {
        events: [
          { type: "response.created", response: { id: "r", created_at: 1, model: "m" } },
          {
            type: "response.failed",
            response: {
              error: { code: "context_length_exceeded", message: "Your input exceeds the context window" },
              incomplete_details: null,
              usage: null,
            },
          },
        ],
      },
      "too_long",
    ],
    [
      "OpenAI's empty account",
      gpt,
      {
        events: [
          { type: "response.created", response: { id: "r", created_at: 1, model: "m" } },
          {
            type: "response.failed",
            response: {
              error: { code: "insufficient_quota", message: "You exceeded your current quota" },
              incomplete_details: null,
              usage: null,
            },
          },
        ],
      },
      "quota",
    ],
    [
      "OpenRouter's limit",
      router,
      { events: [chatChunk({ content: "I" }), { error: { code: 429, message: "slow" } }] },
      "limit",
    ],
    [
      "OpenRouter's empty account",
      router,
      { events: [chatChunk({ content: "I" }), { error: { code: 402, message: "pay" } }] },
      "quota",
    ],
    [
      "OpenRouter's moderator",
      router,
      { events: [{ error: { code: 403, message: "flagged", metadata: { reasons: ["x"] } } }] },
      "filtered",
    ],
    [
      "a compatible server's words",
      house,
      { events: [{ error: "the request exceeds the available context size" }] },
      "too_long",
    ],
    ["a compatible server's other words", house, { events: [{ error: "out of memory" }] }, "transient"],
  ] as const)("%s", (_name, id, reply, kind) => check(id, reply, kind));

  test("words instead of an error object are told", async () => {
    const fault = await faultOf(house, { status: 500, body: { error: "the model has run out of memory" } });
    expect(fault).toMatchObject({ kind: "transient", why: expect.stringContaining("run out of memory") });
  });
});

describe("an answer that broke off", () => {
  const cut = async (id: string, reply: FakeReply) => {
    const { outcome } = await callFake(id, [reply], { tools });
    expect(outcome).toMatchObject({ kind: "cut_off" });
    expect(outcome).not.toHaveProperty("answer");
  };
  test("Claude's half call", () =>
    cut(
      claude,
      claudeEvents(
        [
          {
            start: { type: "tool_use", id: "t1", name: "note", input: {} },
            deltas: [{ type: "input_json_delta", partial_json: '{"text":"ab' }],
          },
        ],
        "max_tokens",
      ),
    ));
  test("thinking that leaves no room for a word", () => cut(claude, claudeEvents([], "max_tokens")));
  test("OpenRouter's half arguments without a reason", () =>
    cut(router, { events: [chatChunk(chatCall('{"text":"ab'))] }));
  test("OpenRouter's half arguments with a reason", () =>
    cut(router, { events: [chatChunk(chatCall('{"text":"ab')), chatChunk({}, "tool_calls")] }));
  test("OpenRouter's whole call without a reason", () =>
    cut(router, { events: [chatChunk(chatCall('{"text":"ab"}'))] }));
  test("a compatible server's half arguments", () =>
    cut(house, { events: [chatChunk(chatCall('{"text":"ab')), chatChunk({}, "tool_calls")] }));
  test("a compatible server's stream without an end", () =>
    cut(house, { events: [chatChunk({ content: "Half an" })] }));
});

describe("is an answer", () => {
  const callOf = async (id: string, events: readonly unknown[]) => {
    const { outcome } = await callFake(id, [{ events }], { tools });
    return outcome.kind === "answered" ? outcome.answer.toolCalls : outcome;
  };
  const note = [{ tool: "note", args: { text: "a" } }];
  test("OpenRouter's arguments after an empty placeholder", async () => {
    const more = { tool_calls: [{ index: 0, function: { arguments: '{"text":"a"}' } }] };
    expect(
      await callOf(router, [chatChunk(chatCall("{}")), chatChunk(more), chatChunk({}, "tool_calls")]),
    ).toMatchObject(note);
  });
  test("a call with a comma too many, in the provider's own message, too", async () => {
    const events = [chatChunk(chatCall('{"text":"a",}')), chatChunk({}, "tool_calls")];
    const { outcome } = await callFake(house, [{ events }], { tools });
    expect(outcome).toMatchObject({ kind: "answered", answer: { toolCalls: note } });
    expect(JSON.stringify(outcome)).toContain('"input":{"text":"a"}');
  });
  test("a call under `stop`", async () =>
    expect(await callOf(house, [chatChunk(chatCall('{"text":"a"}')), chatChunk({}, "stop")])).toMatchObject(note));
  test("a call without an id", async () => {
    const call = {
      tool_calls: [{ index: 0, type: "function", function: { name: "note", arguments: '{"text":"a"}' } }],
    };
    const calls = await callOf(house, [chatChunk(call), chatChunk({}, "tool_calls")]);
    expect(calls).toMatchObject(note);
    expect(JSON.stringify(calls)).toMatch(/"callId":"[^"]+"/);
  });
});

describe("is no answer", () => {
  test.each([
    "UNEXPECTED_TOOL_CALL",
    "TOO_MANY_TOOL_CALLS",
    "MISSING_THOUGHT_SIGNATURE",
    "MALFORMED_FUNCTION_CALL",
    "OTHER",
  ])("Gemini's %s, whatever text there is", (finishReason) =>
    check(
      gemini,
      { events: [{ candidates: [{ content: { parts: [{ text: "Well" }] }, finishReason }] }] },
      "transient",
    ),
  );
  test("arguments that are an object, which the SDK loses", () => {
    const call = {
      tool_calls: [{ index: 0, id: "c", type: "function", function: { name: "note", arguments: { text: "a" } } }],
    };
    return check(house, { events: [chatChunk(call), chatChunk({}, "tool_calls")] }, "transient");
  });
});

test("silent thinking of four minutes is waited for", () => {
  expect(defaultTimeouts.answerMs).toBeGreaterThanOrEqual(240_000);
});

describe("cache marks", () => {
  const marks = (body: unknown) => JSON.stringify(body).match(/"cache_control"/g)?.length ?? 0;
  const more = { tools, messages: [{ role: "user" as const, text: "One." }] };
  test("Claude: on the instructions and one that moves", async () => {
    const { sent } = await callFake(claude, [claudeText("ok")], more);
    expect(sent[0]).toMatchObject({ cache_control: { type: "ephemeral" } });
    expect(marks(sent[0])).toBe(2);
  });
  test("OpenRouter: on the instructions and the last message only", async () => {
    const reply = { events: [chatChunk({ content: "ok" }), chatChunk({}, "stop")] };
    const call = { callId: "c", tool: "note", args: { text: "a" } };
    const results = [1, 2].map((n) => ({ callId: `c${n}`, tool: "note", text: "done", isError: false }));
    const messages = [
      ...more.messages,
      {
        role: "assistant" as const,
        text: "",
        toolCalls: [
          { ...call, callId: "c1" },
          { ...call, callId: "c2" },
        ],
        native: null,
      },
      { role: "tool" as const, results },
    ];
    const { sent } = await callFake(router, [reply], { tools, messages });
    const sentMessages = sent[0]?.messages as unknown[];
    expect(sentMessages.map(marks)).toEqual([1, 0, 0, 0, 1]);
  });
  test("OpenAI: a key of the conversation, made to fit", async () => {
    const { sent } = await callFake(gpt, [openAiError(400, "no")], { ...more, cacheKey: "run/lane é" });
    expect(sent[0]?.prompt_cache_key).toMatch(/^run_lane__[A-Za-z0-9_-]+$/);
  });
  test("what was sent before is sent again, byte by byte", async () => {
    const first = await callFake(claude, [claudeText("ok")], more);
    const messages = [
      ...more.messages,
      { role: "assistant" as const, text: "ok", toolCalls: [], native: null },
      { role: "user" as const, text: "Two." },
    ];
    const second = await callFake(claude, [claudeText("ok")], { tools, messages });
    const prefix = ({ sent: [body = {}] }: FakeCall) =>
      JSON.stringify([body.tools, body.system, (body.messages as unknown[])[0]]);
    expect(prefix(second)).toBe(prefix(first));
  });
});
