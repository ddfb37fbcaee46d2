// Small changes to texts, and the label that everything the demo model writes carries. It knows nothing of objectives.

import { cutAtWord } from "../../lib/slice-text.ts";

const pageLabel = "_Drafted by the demo model: rules, no AI. Connect a real model for research._";
export const labelPage = (parts: readonly string[]): string => [...parts, pageLabel].join("\n\n");
export const labelLine = (text: string): string => `${text} (Demo model: rules, no AI.)`;

export const capital = (text: string): string => text.replace(/^./su, (first) => first.toUpperCase());
/** A, B and C. */
export const listed = (items: readonly string[]): string =>
  items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;

/** On one line. */
export const shorten = (text: string, max: number): string => cutAtWord(text.replaceAll(/\s+/g, " ").trim(), max);

/** Without what Markdown would read as structure, so that words of others stay words. */
export const plainWords = (text: string): string =>
  text
    .replaceAll(/!?\[([^[\]]{0,300})\]\([^()]{0,500}\)/g, "$1")
    .replaceAll(/https?:\/\/\S+/g, " ")
    .replaceAll(/^[ \t]*(?:[#>]+|[-*+•]|\d{1,3}[.)])[ \t]+/gm, "")
    .replaceAll(/[`*_<>|{}[\]\\$]+|(?<!\p{L})#+/gu, " ")
    .replaceAll(/[\p{Cc}\p{Cf}]+/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

export const countWords = (text: string): number => text.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length;
