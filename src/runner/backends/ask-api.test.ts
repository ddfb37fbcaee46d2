import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import type { ApiProtocol } from "./api-answer.ts";
import { askApi } from "./ask-api.ts";
import type { AgentRequest } from "./backend.ts";
import { requireBackend } from "./backends.ts";

const now = Date.parse("2026-11-16T18:30:00Z");
const sse = (...events: readonly unknown[]) =>
  new Response(
    events.map((event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`).join(""),
    {
      headers: { "content-type": "text/event-stream" },
    },
  );
const json = (value: unknown, init: ResponseInit = {}) =>
  new Response(JSON.stringify(value), { headers: { "content-type": "application/json" }, ...init });

/** What the backend hears and thinks of an endpoint that answers so. */
async function hear(protocol: ApiProtocol, answer: () => Response | Promise<Response>) {
  const { reader, judge } = requireBackend("openai");
  const { line, heard } = reader();
  const lines: unknown[] = [];
  const isGood = await askApi(
    { url: "http://lab/", protocol, key: "the-key", prompt: "Why?", body: { model: "m" } },
    {
      fetch: async () => answer(),
      tell: (each) => lines.push(...line(JSON.stringify(each))),
      watch: { signal: new AbortController().signal, touch: () => {} },
    },
  );
  const end = {
    exitCode: isGood ? 0 : 1,
    signal: null,
    wasTimedOut: false,
    heard: heard(),
    stderr: "",
    timeZone: "UTC",
  };
  return { heard: heard(), verdict: judge(end, now) };
}

const chatPiece = (content: string, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta: { content }, finish_reason }],
});
const usage = { prompt_tokens: 12, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 2 } };

test("a chat answer is put together from its pieces", async () => {
  const { heard, verdict } = await hear("chat", () =>
    sse(chatPiece("Be"), chatPiece("cause."), chatPiece("", "stop"), { choices: [], usage }, "[DONE]"),
  );
  expect(heard).toMatchObject({ text: "Because.", tokens: { input: 10, cacheRead: 2, output: 5 }, costUsd: null });
  expect(verdict).toEqual({ kind: "ok" });
});

test("an answer in the Responses format has its sources and its cost", async () => {
  const annotations = [{ type: "url_citation", url: "https://b.example/", title: "B" }];
  const output = [
    { type: "search_results", results: [{ url: "https://a.example/", title: "A\nof it" }] },
    { type: "message", content: [{ type: "output_text", text: "Because.", annotations }] },
  ];
  const spent = {
    input_tokens: 12,
    output_tokens: 5,
    output_tokens_details: { reasoning_tokens: 3 },
    cost: { total_cost: 0.25 },
  };
  const { heard, verdict } = await hear("responses", () =>
    sse(
      { type: "response.created" },
      { type: "response.output_text.delta", delta: "Because." },
      {
        type: "response.completed",
        response: { status: "completed", output, usage: spent },
      },
    ),
  );
  expect(heard.text).toBe("Because.\n\nSources\n- B https://b.example/\n- A of it https://a.example/");
  expect(heard).toMatchObject({ tokens: { input: 12, output: 5, reasoning: 3 }, costUsd: 0.25 });
  expect(verdict).toEqual({ kind: "ok" });
});

test("an endpoint that does not stream is understood", async () => {
  const message = { role: "assistant", content: "Because." };
  const chat = await hear("chat", () => json({ choices: [{ message, finish_reason: "stop" }], usage }));
  expect(chat).toMatchObject({ heard: { text: "Because." }, verdict: { kind: "ok" } });
  const output = [{ type: "message", content: [{ type: "output_text", text: "Because." }] }];
  const responses = await hear("responses", () => json({ status: "completed", output }));
  expect(responses).toMatchObject({ heard: { text: "Because." }, verdict: { kind: "ok" } });
});

const check = async (answer: () => Response | Promise<Response>, verdict: object) =>
  expect((await hear("chat", answer)).verdict).toMatchObject(verdict);

test.each([401, 403, 404])("status %d is refused", (status) =>
  check(() => json({ error: { message: "no" } }, { status }), { kind: "refused" }),
);
test.each([500, 503])("status %d is transient", (status) => check(() => json({}, { status }), { kind: "transient" }));
test("a limit is waited for as long as the endpoint says", () =>
  check(() => json({ error: { message: "slow down" } }, { status: 429, headers: { "retry-after": "7" } }), {
    kind: "transient",
    notBeforeMs: now + 7_000,
  }));
test("a quota is no limit", () =>
  check(() => json({ error: { message: "no more", code: "insufficient_quota" } }, { status: 429 }), {
    kind: "refused",
  }));
test("a stream that breaks off is transient", () => check(() => sse(chatPiece("Be")), { kind: "transient" }));
test("an answer that was cut off is a failure", () =>
  check(() => sse(chatPiece("Be", "length")), { kind: "failed", why: expect.stringContaining("length") }));
test("an error in the middle of a stream is one", () =>
  check(() => sse(chatPiece("Be"), { error: { message: "overloaded", code: 503 } }), { kind: "transient" }));
test("a page of a proxy is no answer", () => check(() => new Response("<html>"), { kind: "failed" }));
test("no connection is transient", () =>
  check(() => Promise.reject(new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } })), {
    kind: "transient",
  }));

const request: AgentRequest = {
  promptFile: "/prompt.md",
  workFolder: "/",
  ownFolder: "/own",
  model: "m",
  baseUrl: null,
  token: "the-key",
  session: null,
  program: [],
};

test("perplexity is asked at its agent endpoint, with a model and a preset", () => {
  const { command } = requireBackend("perplexity");
  const asked = (model: string | null) => command({ ...request, model }).env;
  expect(asked(null)).toMatchObject({
    ASK_API_URL: "https://api.perplexity.ai/v1/agent",
    ASK_API_BODY: '{"model":"perplexity/sonar","preset":"low"}',
    PERPLEXITY_API_KEY: "the-key",
  });
  expect(asked("high").ASK_API_BODY).toBe('{"model":"perplexity/sonar","preset":"high"}');
});

test("an endpoint is asked in the protocol that is configured", () => {
  const { command } = requireBackend("openai");
  expect(command(request).env.ASK_API_URL).toBe("https://api.openai.com/v1/chat/completions");
  expect(command({ ...request, baseUrl: "http://h/v1/", program: ["--responses"] }).env).toMatchObject({
    ASK_API_URL: "http://h/v1/responses",
    ASK_API_PROTOCOL: "responses",
  });
});

test("the program asks with prompt and key, prints what it hears and ends", async () => {
  const asked: { key: string | undefined; body: unknown }[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
    asked.push({ key: incoming.headers.authorization, body: JSON.parse(Buffer.concat(chunks).toString("utf8")) });
    outgoing.writeHead(200, { "content-type": "text/event-stream" });
    outgoing.end(`data: ${JSON.stringify(chatPiece("Ja – 😀", "stop"))}\n\ndata: [DONE]\n\n`);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { command, reader } = requireBackend("openai");
  const { file, args, env } = command({ ...request, baseUrl });
  const child = spawn(file, args, { env: { PATH: process.env.PATH, ...env }, stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end("Pourquoi ?");
  const { line, heard } = reader();
  const printed: Buffer[] = [];
  child.stdout.on("data", (chunk) => printed.push(chunk));
  const [code] = await once(child, "close");
  for (const each of Buffer.concat(printed).toString("utf8").split("\n")) line(each);
  server.close();
  expect(code).toBe(0);
  expect(heard()).toMatchObject({ text: "Ja – 😀", end: { isError: false } });
  expect(asked).toMatchObject([
    { key: "Bearer the-key", body: { model: "m", messages: [{ role: "user", content: "Pourquoi ?" }] } },
  ]);
});
