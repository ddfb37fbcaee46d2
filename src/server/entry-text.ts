// An entry on the wire: what the entry says of itself, and what it was called with and came to as the beginning of a text.

import { z } from "zod";
import { cut as cutLine, oneLine } from "../domain/workspace/pages.ts";
import type { RunEntry } from "../protocol/api.ts";
import type { EntryContent } from "../store/run-view/run-entry-store.ts";
import type { EntryLine } from "./entry-lines.ts";

/** Characters of what an entry was called with, and of what it answered. */
const shownMax = 4_000;
/** Characters of why it failed; entries keep no more. */
const errorMax = 2_000;
const lineMax = 300;

/** `content`: of the entry in the journal; null where the journal has no entry. */
export function toWireEntry(entry: EntryLine, content: EntryContent | null): RunEntry {
  const answer = entry.kind === "model" ? answerIn(content) : null;
  const [args, result] = [cut(textOf(content?.args ?? null)), cut(resultText(entry, content, answer))];
  return {
    id: entry.id,
    key: entry.key,
    kind: entry.kind,
    lane: entry.lane.id,
    lane_title: entry.lane.title,
    state: entry.state,
    summary: inLine(entry.did) || stateWords[entry.state],
    tool: entry.tool,
    role: entry.call?.role ?? null,
    model: entry.call?.model ?? null,
    is_error: entry.error !== null || entry.state === "uncertain",
    error: entry.error?.slice(0, errorMax) ?? null,
    args: args.text,
    result: result.text,
    is_cut: args.isCut || result.isCut,
    calls: answer?.toolCalls.length ?? null,
    began_at: entry.beganAt,
    ended_at: entry.endedAt,
    cost_micro_usd: entry.call?.costMicroUsd ?? null,
    tokens: entry.call?.tokens ?? null,
    cached_tokens: entry.call?.cachedTokens ?? null,
    messages: entry.call?.messages ?? null,
  };
}

/** For an entry that has no words yet. */
const stateWords = { intended: "In progress", done: "Done", uncertain: "Interrupted" } as const;

const answered = z.object({
  answer: z.object({
    text: z.string(),
    toolCalls: z.array(z.object({ tool: z.string(), args: z.unknown() })),
  }),
});
type Answer = z.infer<typeof answered>["answer"];

const stored = z.object({ result: z.unknown() });

/** Entries keep their result beside what they made; effects of the outside world keep it alone. */
const unwrap = (content: EntryContent | null): unknown => stored.safeParse(content?.result).data?.result ?? null;

const answerIn = (content: EntryContent | null): Answer | null =>
  answered.safeParse(unwrap(content)).data?.answer ?? null;

const toolResult = z.object({ outcome: z.object({ text: z.string() }) });
const spoken = z.object({ text: z.string() });

/** The words of a result where it has some, and JSON where it has not. */
function resultText({ kind }: EntryLine, content: EntryContent | null, answer: Answer | null): string | null {
  if (answer !== null) {
    const calls = answer.toolCalls.map(({ tool, args }) => `${tool} ${textOf(args)}`);
    return [answer.text.trim(), ...calls].filter((text) => text !== "").join("\n\n");
  }
  const result = kind === "effect" ? (content?.result ?? null) : unwrap(content);
  return toolResult.safeParse(result).data?.outcome.text ?? spoken.safeParse(result).data?.text ?? textOf(result);
}

/** Of a long text no more is looked at than could be shown. */
const inLine = (text: string): string => cutLine(oneLine(text.slice(0, 4 * lineMax)), lineMax);

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

function cut(text: string | null): { readonly text: string | null; readonly isCut: boolean } {
  if (text === null || text.length <= shownMax) return { text, isCut: false };
  return { text: text.slice(0, shownMax).replace(/[\uD800-\uDBFF]$/, ""), isCut: true };
}
