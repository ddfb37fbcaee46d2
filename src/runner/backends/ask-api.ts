// Asks a model behind an HTTP endpoint once and tells what it hears as JSON lines, so that an API is a program like any other agent:
// it can be stopped, its output is kept, its end is judged. It tries nothing twice and has no tools.

import { EventSourceParserStream } from "eventsource-parser/stream";
import { isRecord, readJson } from "../../lib/json.ts";
import { type ApiPiece, type ApiProtocol, readAnswer, readPiece } from "./api-answer.ts";
import { textAt } from "./read-event.ts";

export type ApiQuestion = {
  readonly url: string;
  readonly protocol: ApiProtocol;
  readonly key: string | null;
  readonly prompt: string;
  /** What the body says beside the prompt: the model, a preset. */
  readonly body: Readonly<Record<string, unknown>>;
};

export type ApiPorts = {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** One line of JSON. */
  readonly tell: (line: Readonly<Record<string, unknown>>) => void;
  /** Aborts when this long has passed since the last call. */
  readonly watch: { readonly signal: AbortSignal; readonly touch: () => void };
};

/** A body that tells an error is short; what is longer is a page of a proxy. */
const errorBodyMax = 20_000;
/** More than any model says at once. */
const answerMax = 32 * 1024 * 1024;

/** True: the model answered to its end. */
export async function askApi(question: ApiQuestion, ports: ApiPorts): Promise<boolean> {
  try {
    const response = await ports.fetch(question.url, makeRequest(question, ports.watch.signal));
    ports.watch.touch();
    if (!response.ok) return tellError(ports, await describeAnswer(response), response.status);
    return await hear(question.protocol, response, ports);
  } catch (error) {
    const why = ports.watch.signal.aborted
      ? "The request timed out: the endpoint was silent for too long"
      : tellCause(error);
    return tellError(ports, why, null);
  }
}

function makeRequest({ protocol, key, prompt, body }: ApiQuestion, signal: AbortSignal): RequestInit {
  const asked =
    protocol === "responses"
      ? { ...body, input: prompt, stream: true }
      : {
          ...body,
          messages: [{ role: "user", content: prompt }],
          stream: true,
          stream_options: { include_usage: true },
        };
  return {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "text/event-stream",
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify(asked),
    // A key is not sent to another address than the configured one.
    redirect: "error",
    signal,
  };
}

async function hear(protocol: ApiProtocol, response: Response, ports: ApiPorts): Promise<boolean> {
  const isStream = response.headers.get("content-type")?.includes("event-stream") === true;
  if (!isStream || response.body === null) {
    const answer = readJson((await response.text()).slice(0, answerMax));
    return isRecord(answer)
      ? finish(readAnswer(protocol, answer), ports)
      : tellError(ports, "The endpoint's answer is not JSON.", null);
  }
  const pieces: ApiPiece[] = [];
  let length = 0;
  const stream = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  for await (const { data } of stream) {
    ports.watch.touch();
    length += data.length;
    if (length > answerMax) return tellError(ports, "The endpoint's answer is too long.", null);
    const event = readJson(data);
    if (!isRecord(event)) continue;
    const piece = readPiece(protocol, event);
    if (piece.text !== "") ports.tell({ type: "text", text: piece.text });
    pieces.push({ ...piece, text: "" });
  }
  return finish(pieces, ports);
}

/** What was said in pieces is told already; the rest is told here, sources last. */
function finish(pieces: readonly ApiPiece[], ports: ApiPorts): boolean {
  for (const { text } of pieces) if (text !== "") ports.tell({ type: "text", text });
  const sources = new Map(pieces.flatMap((piece) => piece.sources).map((source) => [source.url, source]));
  if (sources.size > 0) ports.tell({ type: "sources", sources: [...sources.values()] });
  const usage = pieces.findLast((piece) => piece.usage !== null)?.usage;
  if (usage) ports.tell({ type: "usage", ...usage });
  const end = pieces.findLast((piece) => piece.end !== null)?.end;
  if (!end) return tellError(ports, "The stream ended before the answer did.", null);
  if (end.isError) return tellError(ports, end.why, end.status);
  ports.tell({ type: "end", isError: false, why: "" });
  return true;
}

function tellError(ports: ApiPorts, why: string, status: number | null): false {
  ports.tell({ type: "end", isError: true, why, status });
  return false;
}

async function describeAnswer(response: Response): Promise<string> {
  const body = (await response.text()).slice(0, errorBodyMax);
  const error = readJson(body);
  const told =
    textAt(error, "error", "message") || textAt(error, "message") || textAt(error, "detail") || textAt(error, "error");
  const code = textAt(error, "error", "code") || textAt(error, "error", "type");
  const after = response.headers.get("retry-after");
  const words = [
    `status ${response.status}`,
    ...(told === "" ? [body.trim().slice(0, 300)] : [told]),
    ...(code === "" ? [] : [`(${code})`]),
    ...(after !== null && /^\d{1,7}$/.test(after) ? [`retry after ${after} seconds`] : []),
  ];
  return words.filter((each) => each !== "").join(" ");
}

/** "fetch failed" alone tells nothing; the cause has the code. */
function tellCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = textAt(error.cause, "code");
  const cause = error.cause instanceof Error ? error.cause.message : "";
  return [error.message, code, cause].filter((each) => each !== "").join(": ");
}
