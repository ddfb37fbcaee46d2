// The model lab: a server on this machine that speaks the providers' protocols, refuses what they refuse and says what a script
// tells it to, faults included. It keeps its own books, which is what ours are compared with. Only tests import it.

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { anthropicProtocol } from "./anthropic-protocol.ts";
import { chatProtocol } from "./chat-protocol.ts";
import { claudeFamily } from "./claude-modes.ts";
import { compatFamily } from "./compat-modes.ts";
import { geminiFamily } from "./gemini-modes.ts";
import { googleProtocol } from "./google-protocol.ts";
import { findMode, type LabMemory, type LabMode, type ModeContext, type ModeFamily } from "./lab-mode.ts";
import type {
  LabAnswer,
  LabFault,
  LabProtocol,
  LabReply,
  LabRequest,
  LabUsage,
  Refusal,
  Said,
} from "./lab-protocol.ts";
import { fromJson, record } from "./lab-protocol.ts";
import { type LabLedger, type LabPrice, openLedger } from "./ledger.ts";
import { openAiFamily } from "./openai-modes.ts";
import { openRouterFamily } from "./openrouter-modes.ts";
import { openPrefixCache, type Prefix, type PrefixCache } from "./prefix-cache.ts";
import { readTurns, toMessages } from "./read-turns.ts";
import { responsesProtocol } from "./responses-protocol.ts";
import { hashText } from "./seal.ts";
import { sendBody, sendStream } from "./send-answer.ts";

export type LabOptions = {
  /** `at` counts the calls of models, from 0; those that were refused by the lab itself are counted, but not asked about. */
  readonly script: (request: LabRequest, at: number) => LabReply | Promise<LabReply>;
  readonly modes?: readonly LabMode[];
  /** Of caches that forget; the real clock unless given. */
  readonly nowMs?: () => number;
  /** Micro-dollars per million tokens, by the name a model is asked under. */
  readonly prices?: Readonly<Record<string, LabPrice>>;
  /** What `/models` lists. */
  readonly models?: readonly string[];
};

/** A request that a real provider would have refused, and the lab did. `at` counts as the script's does. */
export type LabRefusal = Pick<Refusal, "rule" | "status" | "message"> & {
  readonly at: number;
  readonly request: LabRequest;
};

export type Lab = {
  /** Where a provider is: `openrouter`, `openai`, `anthropic`, `google`, `openai-compatible`. */
  readonly baseUrl: (provider: string) => string;
  readonly requests: readonly LabRequest[];
  /** Empty in every test that is not about it: what stands here is our bug. Scripted faults are not in it. */
  readonly refusals: readonly LabRefusal[];
  readonly ledger: LabLedger;
  /** How often a signature was left out on purpose (`gemini-sign`). */
  readonly sentinels: () => number;
  readonly close: () => Promise<void>;
};

/** All that one lab keeps. */
type Books = {
  readonly options: LabOptions;
  readonly requests: LabRequest[];
  readonly refusals: LabRefusal[];
  readonly ledger: LabLedger;
  readonly prefixes: PrefixCache;
  readonly memory: LabMemory;
};

const protocols: readonly LabProtocol[] = [chatProtocol, responsesProtocol, anthropicProtocol, googleProtocol];
/** They say what an answer cost. */
const tellsCost = ["openrouter", "openai-compatible"];
const keyHeaders = ["authorization", "x-api-key", "x-goog-api-key"];
/** An answer under these does not arrive as it should. */
const breakingModes = ["claude-529", "openai-failed", "openrouter-inband"];

const isBreaking = (mode: LabMode): boolean =>
  breakingModes.includes(mode.mode) || (mode.mode === "compat-sloppy" && mode.ways?.includes("error-text") === true);

/** The error is the first chunk that says anything: nothing was begun, and nothing is billed. */
const isRefusedAtOnce = (mode: LabMode): boolean =>
  (mode.mode === "claude-529" && mode.when === "first") ||
  (mode.mode === "openai-failed" && mode.when !== "after-text");

export async function startLab(options: LabOptions): Promise<Lab> {
  const books: Books = {
    options,
    requests: [],
    refusals: [],
    ledger: openLedger(options.prices ?? {}),
    prefixes: openPrefixCache(),
    memory: { nowMs: options.nowMs ?? Date.now, issued: new Map(), sentinels: 0 },
  };
  const server = createServer((request, response) => {
    serve(books, request, response).catch((error: unknown) => {
      response.writeHead(599).end(String(error));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: (provider) => `http://127.0.0.1:${port}/${provider}/v1`,
    requests: books.requests,
    refusals: books.refusals,
    ledger: books.ledger,
    sentinels: () => books.memory.sentinels,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function serve(books: Books, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const { options, requests, memory } = books;
  const path = (incoming.url ?? "/").split("?")[0] ?? "/";
  if (path.endsWith("/models")) {
    const data = (options.models ?? ["lab-model"]).map((id) => ({ id, object: "model", owned_by: "lab" }));
    return sendBody(response, 200, { object: "list", data });
  }
  const protocol = protocols.find(({ matches }) => matches(path));
  const body = record(fromJson(await textOf(incoming)));
  if (protocol === undefined) return sendBody(response, 404, { error: { message: `lab: there is no ${path}` } });
  const request = readRequest(protocol, body, path, incoming);
  requests.push(request);
  const asked: Asked = { protocol, request, at: requests.length - 1, prefix: books.prefixes.measure(request) };
  const family = chooseFamily(request);
  const context: ModeContext = { request, modes: options.modes ?? [], memory };
  const refusal = family.refuse(context);
  if (refusal !== null) return refuse(books, asked, refusal, response);
  const reply = await options.script(family.see?.(context) ?? request, asked.at);
  if ("status" in reply) return sendFault(books, asked, reply, response);
  const own: ModeContext = { ...context, modes: [...context.modes, ...(reply.modes ?? [])] };
  const late = reply.modes === undefined ? null : family.refuse(own);
  if (late !== null) return refuse(books, asked, late, response);
  const fault = family.fault?.(own) ?? null;
  if (fault !== null) return sendFault(books, asked, fault, response);
  await answer(books, asked, own, reply, response);
}

function sendFault(
  books: Books,
  { request, protocol, prefix }: Asked,
  fault: LabFault,
  response: ServerResponse,
): void {
  books.ledger.enter(request, "refused", null, prefix);
  const body = fault.body ?? protocol.error(fault.status, `lab: ${fault.status} on purpose`);
  sendBody(response, fault.status, body, fault.headers);
}

type Asked = {
  readonly protocol: LabProtocol;
  readonly request: LabRequest;
  readonly at: number;
  readonly prefix: Prefix;
};

function readRequest(
  protocol: LabProtocol,
  body: Record<string, unknown>,
  path: string,
  incoming: IncomingMessage,
): LabRequest {
  const { items, ...read } = protocol.read(body, path);
  const key = keyHeaders.map((name) => incoming.headers[name]).find((value) => value !== undefined);
  return {
    protocol: protocol.name,
    provider: path.split("/")[1] ?? "",
    ...read,
    messages: toMessages(items),
    turns: readTurns(items),
    headers: withoutKeys(incoming),
    url: incoming.url ?? "/",
    account: hashText(String(key ?? "")).slice(0, 8),
    raw: body,
  };
}

function chooseFamily({ protocol, provider }: LabRequest): ModeFamily {
  if (protocol === "anthropic") return claudeFamily;
  if (protocol === "responses") return openAiFamily;
  if (protocol === "google") return geminiFamily;
  return provider === "openrouter" ? openRouterFamily : compatFamily;
}

function refuse(
  books: Books,
  { request, at, protocol, prefix }: Asked,
  refusal: Refusal,
  response: ServerResponse,
): void {
  const { rule, status, message, code, body } = refusal;
  books.refusals.push({ rule, status, message, at, request });
  books.ledger.enter(request, "refused", null, prefix);
  sendBody(response, status, body ?? protocol.error(status, message, code));
}

async function answer(
  { ledger, prefixes }: Books,
  { protocol, request, at, prefix }: Asked,
  context: ModeContext,
  reply: LabAnswer,
  response: ServerResponse,
): Promise<void> {
  const { garbage, cut, cutAtByte, slowMs = 0, hang = null } = reply;
  const family = chooseFamily(request);
  const meter = findMode(context.modes, "cache-meter");
  const metered = meter === undefined ? {} : prefixes.meter(request, meter, context.memory.nowMs());
  const plain = sayPlainly(request, at, reply, metered);
  const said = family.say?.(plain, context) ?? plain;
  const isBroken = hang !== null || [garbage, cut, cutAtByte].some((fault) => fault !== undefined);
  const isLost = isBroken || context.modes.some(isBreaking);
  const isRefused = request.isStream && context.modes.some(isRefusedAtOnce);
  const state = isRefused ? "refused" : isLost ? "lost" : "answered";
  const cost = ledger.enter(request, state, isRefused ? null : said.usage, prefix);
  const costInDollars = tellsCost.includes(request.provider) && cost !== null ? cost / 1_000_000 : null;
  const priced = { ...said, costInDollars };
  if (garbage !== undefined) return sendBody(response, 200, garbage);
  if (hang?.at === "headers") return;
  if (request.isStream) {
    const events = protocol.events(priced);
    return sendStream(response, family.events?.(events, priced, context) ?? events, { cut, cutAtByte, slowMs, hang });
  }
  await sleep(slowMs);
  sendBody(response, 200, protocol.whole(priced));
}

/** The script's answer with nothing left open, before the provider's ways change it. */
function sayPlainly(request: LabRequest, at: number, reply: LabAnswer, metered: Partial<LabUsage>): Said {
  const usage =
    reply.usage === null
      ? null
      : { cacheRead: 0, cacheWrite: 0, ...(reply.usage ?? { input: 11, output: 7 }), ...metered };
  const { reasoning = [], toolCalls = [] } = reply;
  return {
    id: String(at),
    model: request.model,
    provider: request.provider,
    reasoning: reasoning.map(({ text = "", signature = null, isRedacted = false }) => ({
      text,
      signature,
      isRedacted,
    })),
    text: reply.text ?? "",
    toolCalls: toolCalls.map(({ id, ...call }, index) => ({
      ...call,
      id: id ?? `call_${at}_${index}`,
      signature: null,
    })),
    usage,
    costInDollars: null,
    finish: reply.finish ?? "stop",
    isHalf: reply.isHalf ?? false,
    transformations: [],
  };
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function withoutKeys({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  const shown = Object.entries(headers).map(([name, value]) => [
    name,
    keyHeaders.includes(name) ? "(a key)" : String(value),
  ]);
  return Object.fromEntries(shown);
}
