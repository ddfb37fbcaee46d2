// What an answer of an OpenAI-compatible endpoint says, in whole or as a piece of a stream, in the Responses and in the chat format.

import { at, type Fields, listAt, numberAt, textAt } from "./read-event.ts";

export type ApiProtocol = "responses" | "chat";

export type ApiUsage = {
  readonly input: number;
  readonly cacheRead: number;
  readonly output: number;
  readonly reasoning: number;
  readonly costUsd: number | null;
};

export type ApiPiece = {
  readonly text: string;
  readonly sources: readonly { readonly url: string; readonly title: string }[];
  readonly usage: ApiUsage | null;
  readonly end: { readonly isError: boolean; readonly why: string; readonly status: number | null } | null;
};

const nothing: ApiPiece = { text: "", sources: [], usage: null, end: null };

/** A whole answer, of an endpoint that does not stream. */
export function readAnswer(protocol: ApiProtocol, answer: Fields): readonly ApiPiece[] {
  if (protocol === "responses") {
    const parts = listAt(answer, "output").flatMap((item) => listAt(item, "content"));
    const text = parts.map((part) => textAt(part, "text")).join("");
    return [{ ...nothing, text }, readResponse(answer, textAt(answer, "status"))];
  }
  const [choice] = listAt(answer, "choices");
  return [{ ...readChat(answer), text: textAt(choice, "message", "content") }];
}

export function readPiece(protocol: ApiProtocol, event: Fields): ApiPiece {
  if (protocol === "chat") return readChat(event);
  switch (event.type) {
    case "response.output_text.delta":
      return { ...nothing, text: textAt(event, "delta") };
    case "response.completed":
    case "response.incomplete":
    case "response.failed":
      return readResponse(at(event, "response"), event.type.slice("response.".length));
    case "error":
      return { ...nothing, end: fail(textAt(event, "message") || textAt(event, "error", "message"), event) };
    default:
      return nothing;
  }
}

function readResponse(response: unknown, status: string): ApiPiece {
  const items = listAt(response, "output");
  const annotations = items.flatMap((item) => listAt(item, "content")).flatMap((part) => listAt(part, "annotations"));
  const results = items
    .filter((item) => at(item, "type") === "search_results")
    .flatMap((item) => listAt(item, "results"));
  const reason = textAt(response, "incomplete_details", "reason");
  const why = textAt(response, "error", "message") || `The answer is ${status}${reason === "" ? "" : `: ${reason}`}.`;
  return {
    text: "",
    sources: readSources([...annotations, ...results]),
    usage: readUsage(at(response, "usage")),
    end: status === "completed" ? { isError: false, why: "", status: null } : fail(why, at(response, "error")),
  };
}

/** `finish_reason` ends it: "stop" well; "length" and "content_filter" cut it off. */
function readChat(event: Fields): ApiPiece {
  const [choice] = listAt(event, "choices");
  const reason = textAt(choice, "finish_reason");
  const error = at(event, "error");
  const ended = reason === "stop" ? { isError: false, why: "", status: null } : null;
  const failed = reason === "" || reason === "stop" ? null : fail(`The answer was cut off: ${reason}.`, null);
  return {
    text: textAt(choice, "delta", "content"),
    sources: readSources([...listAt(event, "search_results"), ...listAt(choice, "delta", "annotations")]),
    usage: readUsage(at(event, "usage")),
    end: error === undefined || error === null ? (ended ?? failed) : fail(textAt(error, "message"), error),
  };
}

function fail(why: string, error: unknown): NonNullable<ApiPiece["end"]> {
  const code = textAt(error, "code") || textAt(error, "type");
  const status = numberAt(error, "code") || numberAt(error, "status");
  const words = why || "an error without a message";
  return { isError: true, why: code === "" ? words : `${words} (${code})`, status: status === 0 ? null : status };
}

function readSources(values: readonly unknown[]): ApiPiece["sources"] {
  return values
    .map((value) => (at(value, "url_citation") === undefined ? value : at(value, "url_citation")))
    .map((value) => ({ url: textAt(value, "url"), title: textAt(value, "title") }))
    .filter(({ url }) => /^https?:\/\//.test(url));
}

/** Both formats count cached tokens as input; the cost is an amount, or a breakdown of it. */
function readUsage(usage: unknown): ApiUsage | null {
  if (usage === undefined || usage === null) return null;
  const cacheRead =
    numberAt(usage, "input_tokens_details", "cached_tokens") ||
    numberAt(usage, "prompt_tokens_details", "cached_tokens");
  const input = numberAt(usage, "input_tokens") || numberAt(usage, "prompt_tokens");
  const cost = numberAt(usage, "cost", "total_cost") || numberAt(usage, "cost");
  return {
    input: Math.max(input - cacheRead, 0),
    cacheRead,
    output: numberAt(usage, "output_tokens") || numberAt(usage, "completion_tokens"),
    reasoning:
      numberAt(usage, "output_tokens_details", "reasoning_tokens") ||
      numberAt(usage, "completion_tokens_details", "reasoning_tokens"),
    costUsd: cost === 0 ? null : cost,
  };
}
