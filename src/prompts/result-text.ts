// What a model reads of a tool's result: all of it, or its beginning and how to read on. Whatever could hold words of others is
// fenced.

import { fenced } from "../domain/policy/fence-text.ts";
import { sliceText } from "../lib/slice-text.ts";

export type ShownResult = {
  readonly tool: string;
  /** What `read_result` opens it by. */
  readonly ref: string;
  readonly text: string;
  readonly isUntrusted: boolean;
  readonly isOwnWords: boolean;
};

/** Characters of a result that are shown at once; tools that show pages keep below it with their headings. */
const shownMax = 8_500;
const page = 8_000;

export function resultText({ tool, ref, text, isUntrusted, isOwnWords: isOurs }: ShownResult, nonce: string): string {
  if (isOurs && text.length <= shownMax) return text;
  const label = isUntrusted ? `result of ${tool}, text of strangers` : `result of ${tool}`;
  if (text.length <= shownMax) return fenced(label, text, nonce);
  const { shown, next } = sliceText(text, 0, page);
  const rest = `[Characters 0 to ${next} of ${text.length}. To read on: read_result with ref "${ref}" and offset ${next}]`;
  return `${fenced(label, shown, nonce)}\n${rest}`;
}

/** A write answers in the platform's own sentence; only `edit_document` shows a passage. */
export const isOwnWords = ({ kind, name }: { readonly kind: string; readonly name: string }): boolean =>
  kind === "write" && name !== "edit_document";
