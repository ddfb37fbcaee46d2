// The model lab: a server on this machine that speaks the providers' protocols and says what a script tells it to, faults
// included. It keeps its own books, which is what ours are compared with. Only tests import it.

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { anthropicProtocol } from "./anthropic-protocol.ts";
import { chatProtocol } from "./chat-protocol.ts";
import { googleProtocol } from "./google-protocol.ts";
import {
  fromJson,
  type LabAnswer,
  type LabFault,
  type LabProtocol,
  type LabReply,
  type LabRequest,
  record,
  type Said,
} from "./lab-protocol.ts";
import { type LabLedger, type LabPrice, openLedger } from "./ledger.ts";
import { responsesProtocol } from "./responses-protocol.ts";

export type LabOptions = {
  /** `at` counts the calls of models, from 0. */
  readonly script: (request: LabRequest, at: number) => LabReply | Promise<LabReply>;
  /** Micro-dollars per million tokens, by the name a model is asked under. */
  readonly prices?: Readonly<Record<string, LabPrice>>;
  /** What `/models` lists. */
  readonly models?: readonly string[];
};

export type Lab = {
  /** Where a provider is: `openrouter`, `openai`, `anthropic`, `google`, `openai-compatible`. */
  readonly baseUrl: (provider: string) => string;
  readonly requests: readonly LabRequest[];
  readonly ledger: LabLedger;
  readonly close: () => Promise<void>;
};

const protocols: readonly LabProtocol[] = [chatProtocol, responsesProtocol, anthropicProtocol, googleProtocol];
/** They say what an answer cost. */
const tellsCost = ["openrouter", "openai-compatible"];
const keyHeaders = ["authorization", "x-api-key", "x-goog-api-key"];

export async function startLab(options: LabOptions): Promise<Lab> {
  const requests: LabRequest[] = [];
  const ledger = openLedger(options.prices ?? {});
  const server = createServer((request, response) => {
    serve(options, requests, ledger, request, response).catch((error: unknown) => {
      response.writeHead(599).end(String(error));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: (provider) => `http://127.0.0.1:${port}/${provider}/v1`,
    requests,
    ledger,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function serve(
  options: LabOptions,
  requests: LabRequest[],
  ledger: LabLedger,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = incoming.url ?? "/";
  const path = url.split("?")[0] ?? "/";
  if (path.endsWith("/models")) {
    const data = (options.models ?? ["lab-model"]).map((id) => ({ id, object: "model", owned_by: "lab" }));
    return send(response, 200, { object: "list", data });
  }
  const protocol = protocols.find(({ matches }) => matches(path));
  const body = record(fromJson(await textOf(incoming)));
  if (protocol === undefined) return send(response, 404, { error: { message: `lab: there is no ${path}` } });
  const provider = path.split("/")[1] ?? "";
  const request: LabRequest = {
    protocol: protocol.name,
    provider,
    ...protocol.read(body, path),
    headers: withoutKeys(incoming),
    url,
    raw: body,
  };
  requests.push(request);
  const at = requests.length - 1;
  const reply = await options.script(request, at);
  if ("status" in reply) {
    ledger.enter(request, "refused", null);
    return send(response, reply.status, bodyOf(reply, protocol), reply.headers);
  }
  await answer(ledger, protocol, request, at, reply, response);
}

async function answer(
  ledger: LabLedger,
  protocol: LabProtocol,
  request: LabRequest,
  at: number,
  reply: LabAnswer,
  response: ServerResponse,
): Promise<void> {
  const { garbage, cut, slowMs = 0 } = reply;
  const usage =
    reply.usage === null ? null : { cacheRead: 0, cacheWrite: 0, ...(reply.usage ?? { input: 11, output: 7 }) };
  const cost = ledger.enter(request, cut === undefined && garbage === undefined ? "answered" : "lost", usage);
  const said: Said = {
    id: String(at),
    model: request.model,
    text: reply.text ?? "",
    toolCalls: reply.toolCalls ?? [],
    usage,
    costInDollars: tellsCost.includes(request.provider) && cost !== null ? cost / 1_000_000 : null,
    finish: reply.finish ?? "stop",
  };
  if (garbage !== undefined) return send(response, 200, garbage);
  if (request.isStream) return stream(response, protocol, said, { cut, slowMs });
  await sleep(slowMs);
  send(response, 200, protocol.whole(said));
}

async function stream(
  response: ServerResponse,
  protocol: LabProtocol,
  said: Said,
  { cut, slowMs }: { readonly cut: number | undefined; readonly slowMs: number },
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  response.flushHeaders();
  for (const [at, { event, data }] of protocol.events(said).entries()) {
    if (slowMs > 0) await sleep(slowMs);
    if (response.destroyed) return;
    // What was sent before the cut shall be there: a torn connection may swallow the last packet.
    if (at === cut) {
      await sleep(20);
      response.destroy();
      return;
    }
    const text = typeof data === "string" ? data : JSON.stringify(data);
    response.write(`${event === undefined ? "" : `event: ${event}\n`}data: ${text}\n\n`);
  }
  response.end();
}

function bodyOf({ status, body }: LabFault, protocol: LabProtocol): unknown {
  return body ?? protocol.error(status, `lab: ${status} on purpose`);
}

function send(response: ServerResponse, status: number, body: unknown, headers: LabFault["headers"] = {}): void {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(text);
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
