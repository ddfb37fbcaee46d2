// What a reader remembers of an agent's output. Its size is bounded, however much the agent says.

import { saysLimit } from "../../domain/run/provider/provider-limit.ts";
import type { AgentEvent, ErrorEvent, Heard, LimitEvent, Tokens } from "./backend.ts";

/** `output.md` is for people; the whole output is in agent-stdout.txt. */
const textMax = 1_000_000;
/** Enough for a notice with its reset time; see `endingOf`, which reads the last two. */
const speechMax = 1_000;
const messagesMax = 4;
/** A message of a provider, not a page of HTML. */
const whyMax = 2_000;

export type Transcript = {
  readonly begin: (session: string) => void;
  /** A whole message of the agent, or the next piece of the one it is saying. */
  readonly say: (text: string, isPiece?: boolean) => readonly AgentEvent[];
  /** The agent uses a tool: the next piece begins a new message. */
  readonly pause: () => void;
  readonly error: (why: string, status: number | null) => readonly AgentEvent[];
  readonly retry: (why: string, status: number | null) => readonly AgentEvent[];
  readonly limit: (event: Omit<LimitEvent, "kind">) => readonly AgentEvent[];
  /** The terminal event; a later one counts, as agents that go on say so again. */
  readonly end: (end: Heard["end"], answer?: string) => void;
  /** On top of what was used before. */
  readonly use: (tokens: Tokens, costUsd: number | null) => void;
  /** A line beside the events: some tell a limit so, and end. Null: an event came, so that was not the end. */
  readonly aside: (line: string | null) => void;
  /** In the place of the cost that was told before. */
  readonly cost: (costUsd: number) => void;
  /** In the place of what was used before. */
  readonly replaceUse: (tokens: Tokens, costUsd: number | null) => void;
  readonly heard: () => Heard;
};

export function keepTranscript(isSessionTotal = false): Transcript {
  const words = keepWords();
  const errors = keepErrors();
  let session: string | null = null;
  let end: Heard["end"] = null;
  let answer: string | null = null;
  let tokens: Tokens | null = null;
  let costUsd: number | null = null;
  let limit: LimitEvent | null = null;
  let aside = "";
  return {
    begin: (id) => {
      if (id !== "" && session === null) session = id;
    },
    say: (text, isPiece = false) => {
      errors.goOn();
      return words.say(text, isPiece);
    },
    pause: () => {
      errors.goOn();
      words.pause();
    },
    error: errors.error,
    retry: errors.retry,
    limit: (event) => {
      limit = { kind: "limit", ...event };
      return [limit];
    },
    end: (said, text) => {
      end = said && { ...said, why: shorten(said.why) };
      // An empty answer does not count; what was said before it does.
      answer = text === undefined || text === "" ? answer : keepEnd(text);
    },
    use: (used, cost) => {
      tokens = tokens === null ? used : addTokens(tokens, used);
      costUsd = cost === null ? costUsd : (costUsd ?? 0) + cost;
    },
    aside: (line) => {
      if (line === null) aside = "";
      else if (isNotice(line)) aside = line.trim();
    },
    cost: (cost) => {
      costUsd = cost;
    },
    replaceUse: (used, cost) => {
      tokens = used;
      costUsd = cost;
    },
    heard: () => {
      const messages = words.messages();
      // Without an end there is no last word: the last few together tell more.
      const text = answer ?? (end === null ? messages.join("\n") : messages.at(-1)) ?? "";
      const speech = messages.map((each) => each.slice(0, speechMax));
      const used = { tokens, costUsd, isSessionTotal };
      return {
        session,
        end,
        text: text.slice(-textMax),
        speech,
        ...used,
        ...errors.heard(),
        limit,
        ...(aside === "" ? {} : { aside }),
      };
    },
  };
}

/** A whole notice in plain words; a torn piece of an event has quotes and braces in it. */
const isNotice = (line: string): boolean => !/["{}]/.test(line) && saysLimit([{ by: "agent", text: line }]);

/** The last few messages. */
function keepWords() {
  let messages: readonly string[] = [];
  let isOpen = false;
  return {
    say: (text: string, isPiece: boolean): readonly AgentEvent[] => {
      if (text === "") return [];
      const last = messages.at(-1);
      const isNext = isPiece && isOpen;
      // Some tell a message again with what was added to it.
      const isAgain = !isPiece && last !== undefined && text.startsWith(last);
      const before = isNext || isAgain ? messages.slice(0, -1) : messages.slice(1 - messagesMax);
      messages = [...before, keepEnd(isNext ? (last ?? "") + text : text)];
      isOpen = isPiece;
      return [{ kind: "text", text }];
    },
    pause: () => {
      isOpen = false;
    },
    messages: () => messages,
  };
}

/** The last error. One that was tried again counts until the agent goes on. */
function keepErrors() {
  let retries = 0;
  let error: ErrorEvent | null = null;
  let isTriedAgain = false;
  return {
    error: (why: string, status: number | null): readonly AgentEvent[] => {
      error = { kind: "error", why: shorten(why), status };
      isTriedAgain = false;
      return [error];
    },
    retry: (why: string, status: number | null): readonly AgentEvent[] => {
      retries += 1;
      error = { kind: "error", why: shorten(why), status };
      isTriedAgain = true;
      return [{ kind: "retry", why: error.why, status }];
    },
    goOn: () => {
      if (isTriedAgain) error = null;
      isTriedAgain = false;
    },
    heard: () => ({ retries, error }),
  };
}

/** Cut only once it is twice as long, so that a long message in small pieces is not copied for each of them. */
const keepEnd = (text: string): string => (text.length > 2 * textMax ? text.slice(-textMax) : text);
const shorten = (why: string): string => why.trim().slice(0, whyMax);

const addTokens = (one: Tokens, other: Tokens): Tokens => ({
  input: one.input + other.input,
  cacheRead: one.cacheRead + other.cacheRead,
  cacheWrite: one.cacheWrite + other.cacheWrite,
  output: one.output + other.output,
  reasoning: one.reasoning + other.reasoning,
});
