// What a session has read of the user's things, kept by the platform: text is replaced only as it was read. A model carries no
// numbers for that, and its word that it has read something counts for nothing.

import { createHash } from "node:crypto";

/** A part of a text as it was shown or written; `digest` and `length` are of the whole text. */
export type SeenText = {
  readonly digest: string;
  readonly length: number;
  readonly from: number;
  readonly to: number;
};

/** What one answer of a tool shows of a thing. It is kept with the answer, so that another attempt knows the same. */
export type Sighting = {
  readonly id: string;
  /** Of the fields in a line: title, state, dates. Left out: they were not shown. */
  readonly version?: number;
  readonly content?: SeenText;
  readonly description?: SeenText;
};

export type ReadText = { readonly digest: string; readonly length: number; readonly parts: readonly Part[] };
type Part = { readonly from: number; readonly to: number };

export type ThingRead = {
  readonly version: number | null;
  readonly content: ReadText | null;
  readonly description: ReadText | null;
};

export type ThingsRead = Map<string, ThingRead>;
export type ReadOnlyThings = ReadonlyMap<string, ThingRead>;

/** The same as in SQL: the first half of the SHA-256 of the text in UTF-8. */
const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 32);

export const wholeText = (text: string): SeenText => seenText(text, 0, text.length);

export const seenText = (text: string, from: number, to: number): SeenText => ({
  digest: digestOf(text),
  length: text.length,
  from,
  to,
});

export function noteSightings(things: ThingsRead, seen: readonly Sighting[]): void {
  for (const { id, version, content, description } of seen) {
    const before = things.get(id);
    things.set(id, {
      version: version ?? before?.version ?? null,
      content: together(before?.content ?? null, content),
      description: together(before?.description ?? null, description),
    });
  }
}

/** Pages of one text add up; of another text, what was read before says nothing. */
function together(before: ReadText | null, seen: SeenText | undefined): ReadText | null {
  if (seen === undefined) return before;
  const { digest, length, from, to } = seen;
  const parts = before?.digest === digest ? before.parts : [];
  return { digest, length, parts: [...parts, { from, to }] };
}

export type Reading = "whole" | "part" | "other" | "none";

/** How much of a text as it is now was read; `other`: the text was different then. */
export function readingOf(read: ReadText | null | undefined, now: string): Reading {
  if (now === "") return "whole";
  if (!read) return "none";
  if (read.length !== now.length || read.digest !== digestOf(now)) return "other";
  return wasReadWhole(read) ? "whole" : "part";
}

/** Whether all of the text was read as it was then, whatever it is now. */
export function wasReadWhole({ length, parts }: ReadText): boolean {
  const sorted = parts.toSorted((one, other) => one.from - other.from);
  return sorted.reduce((reached, { from, to }) => (from <= reached ? Math.max(reached, to) : reached), 0) >= length;
}
