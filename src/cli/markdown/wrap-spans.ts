// Spans as lines of a given width. Pure. A word that is wider than a line, such as an address, stays whole: cut in two it could
// not be opened.

import { widthOf } from "../plain-text.ts";
import type { Span } from "./parse-inline.ts";

/** Pieces without a blank between them. */
type Word = { readonly pieces: readonly Span[]; readonly width: number; readonly breaksBefore: boolean };
export type PaintSpan = (span: Span) => string;

export type WrappedLine = { readonly text: string; readonly width: number };

export function wrapSpans(spans: readonly Span[], width: number, paint: PaintSpan): readonly WrappedLine[] {
  const lines: Word[][] = [[]];
  let used = 0;
  for (const word of toWords(spans)) {
    const line = lines.at(-1) ?? [];
    const isFull = line.length > 0 && used + 1 + word.width > width;
    if (isFull || word.breaksBefore) {
      lines.push([word]);
      used = word.width;
    } else {
      used += (line.length === 0 ? 0 : 1) + word.width;
      line.push(word);
    }
  }
  return lines.map((words) => joinWords(words, paint));
}

function toWords(spans: readonly Span[]): readonly Word[] {
  const words: Word[] = [];
  let pieces: Span[] = [];
  let breaksBefore = false;
  const end = () => {
    if (pieces.length === 0) return;
    const width = pieces.reduce((sum, { text }) => sum + widthOf(text), 0);
    words.push({ pieces, width, breaksBefore });
    pieces = [];
    breaksBefore = false;
  };
  for (const { text, styles } of spans) {
    for (const part of text.split(/([ \t\n]+)/)) {
      if (part === "") continue;
      if (/^[ \t\n]+$/.test(part)) {
        end();
        breaksBefore ||= part.includes("\n");
      } else pieces.push({ text: part, styles });
    }
  }
  end();
  return words;
}

/** Words of one style are painted in one go, so that an underlined link has no gaps. */
function joinWords(words: readonly Word[], paint: PaintSpan): WrappedLine {
  const runs: Span[] = [];
  const add = (span: Span) => {
    const last = runs.at(-1);
    if (last && isSame(last.styles, span.styles)) runs[runs.length - 1] = { ...last, text: last.text + span.text };
    else runs.push(span);
  };
  words.forEach(({ pieces }, at) => {
    const [first] = pieces;
    const before = words[at - 1]?.pieces.at(-1);
    if (before && first) add({ text: " ", styles: isSame(before.styles, first.styles) ? first.styles : [] });
    for (const piece of pieces) add(piece);
  });
  const width = runs.reduce((sum, { text }) => sum + widthOf(text), 0);
  return { text: runs.map(paint).join(""), width };
}

const isSame = (some: readonly string[], others: readonly string[]) => some.join() === others.join();
