// How much a tool shows, and how a long text is shown in part. Must not change a text in any other way.

import { type Slice, wholeAt } from "../lib/slice-text.ts";

export const bounds = {
  /** Characters of one answer: about 5,000 tokens, so that several fit into one prompt. */
  text: 20_000,
  summary: 200,
  /** Rows of one list. With the sizes of a line below, 50 of them stay under `text`. */
  list: 50,
  listDefault: 20,
  lineTitle: 100,
  lineDescription: 80,
  /** Of one entity: its header, and a page of the part that was asked for. */
  title: 400,
  description: 1_500,
  props: 1_500,
  page: 8_000,
  pageDefault: 8_000,
} as const;

/** The beginning, with a mark where something is missing. */
export function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, wholeAt(text, max - 1))}…`;
}

/** For lists: a title with line breaks must not look like several lines. */
export const oneLine = (text: string, max: number): string => cut(text.replaceAll(/\s+/g, " ").trim(), max);

export const quoted = (title: string): string => `"${oneLine(title, bounds.lineTitle)}"`;

/** What stands above a page: which characters these are, and how to get those that follow. */
export function sliceHeading(what: string, text: string, { from, next, shown }: Slice): string {
  if (from === 0 && next === null) return `${what} (${text.length} characters):`;
  const more = next === null ? "this is the end" : `the rest: call again with offset ${next}`;
  return `${what} (characters ${from} to ${from + shown.length} of ${text.length}; ${more}):`;
}
