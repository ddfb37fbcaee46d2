// What a session has brought so far, read from its messages: its own calls with their results, what the platform lists, and what
// the user said meanwhile.

import type { ModelMessage, ToolReply } from "../model.ts";

export type DoneCall = {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly reply: ToolReply | null;
};

/** Something that a list of the platform shows. */
export type Listed = { readonly kind: string; readonly id: string; readonly title: string };

export type Conversation = {
  readonly calls: readonly DoneCall[];
  readonly listed: readonly Listed[];
  readonly heard: readonly string[];
  /** The platform has asked it to end. */
  readonly mustEnd: boolean;
};

export function readConversation(messages: readonly ModelMessage[]): Conversation {
  const replies = new Map(
    messages.flatMap((message) =>
      message.role === "tool" ? message.results.map((each) => [each.callId, each] as const) : [],
    ),
  );
  const calls = messages.flatMap((message) =>
    message.role === "assistant"
      ? message.toolCalls.map(({ callId, tool, args }) => ({
          tool,
          args: toRecord(args),
          reply: replies.get(callId) ?? null,
        }))
      : [],
  );
  const notes = messages.slice(1).flatMap((message) => (message.role === "user" ? [message.text] : []));
  const last = messages.at(-1);
  return {
    calls,
    listed: calls.flatMap(readList),
    heard: notes.filter((note) => note.includes("The user has just said")).map(quotedIn),
    mustEnd: messages.length > 1 && last?.role === "user" && last.text.includes("end_iteration"),
  };
}

const toRecord = (args: unknown): Readonly<Record<string, unknown>> =>
  typeof args === "object" && args !== null ? (args as Record<string, unknown>) : {};

/** The user's own lines are marked in what the platform says. */
const quotedIn = (note: string): string =>
  note
    .split("\n")
    .flatMap((line) => /^> (.*)$/.exec(line)?.[1] ?? [])
    .join(" ");

const listLine = /^- ([0-9a-f-]{36}) \[[^\]\n]*\] "(.*?)"(?= ·|$)/gm;

function readList({ tool, reply }: DoneCall): readonly Listed[] {
  const [, kinds] = /^list_(document|task|goal|plan|milestone)s$/.exec(tool) ?? [];
  if (kinds === undefined || reply === null || reply.isError) return [];
  return [...reply.text.matchAll(listLine)].map(([, id = "", title = ""]) => ({ kind: kinds, id, title }));
}

/** The id that a tool says it made; a staged write says it, too, before it is done. */
export const madeId = ({ reply }: DoneCall): string | null =>
  reply === null || reply.isError
    ? null
    : (/(?:Made the \w+|Wrote the note|Added to the document) ([0-9a-f-]{36})/.exec(reply.text)?.[1] ?? null);

export const isStaged = ({ reply }: DoneCall): boolean => reply !== null && /NOT written yet/.test(reply.text);

/** What an executor of this session made, by the title of its task. */
export function findReported(calls: readonly DoneCall[], title: string): string | null {
  const texts = calls.flatMap(({ tool, reply }) => (tool === "delegate" && reply ? [reply.text] : []));
  const line = texts.flatMap((text) => text.split("\n")).find((each) => each.includes(`"${title}", reports.`));
  return /made or changed: \w+ ([0-9a-f-]{36})/.exec(line ?? "")?.[1] ?? null;
}
