// A text of a model for places with room for words alone: rows, toasts, options. Marks of Markdown go, what they mark stays. Pure.
// What a pair of marks encloses has a limit, so that a text of nothing but marks is read in linear time.

const picture = /!\[([^\]\n]{0,300})\]\([^)\n]{0,2000}\)/g;
const link = /\[([^\]\n]{1,300})\]\([^)\n]{0,2000}\)/g;
const code = /`([^`\n]{1,300})`/g;
const strong = /(\*\*|~~)(?=\S)([^\n]{0,300}?\S)\1/g;
const strongWords = /(?<![\w_])__(?=\S)([^\n]{0,300}?\S)__(?![\w_])/g;
const stressed = /(?<![*\w])\*(?=[^\s*])([^*\n]{0,300}?[^\s*])\*(?![*\w])/g;
const stressedWords = /(?<![\w_])_(?=[^\s_])([^_\n]{0,300}?[^\s_])_(?![\w_])/g;
const lineStart = /^[ \t]{0,8}(?:#{1,6}[ \t]+|>[ \t]?|[-*+][ \t]+)/gm;

export function plainWords(text: string): string {
  return text
    .replaceAll(lineStart, "")
    .replaceAll(picture, "$1")
    .replaceAll(link, "$1")
    .replaceAll(strong, "$2")
    .replaceAll(strongWords, "$1")
    .replaceAll(stressed, "$1")
    .replaceAll(stressedWords, "$1")
    .replaceAll(code, "$1");
}

const review = /^([^\n]{0,300}?Review (\d{1,4}) changes?(?: and the run's own notes)?)[.:][^\n]*\n/;
const namedAtOnce = 3;

/** A question about changes in a line: how many, and what the first of them do. Null: it is about something else. */
export function changesInShort(question: string): string | null {
  const [whole, head, count] = review.exec(question) ?? [];
  if (whole === undefined) return null;
  const named = question
    .slice(whole.length)
    .split("\n")
    // One that was cut off is counted among the others.
    .flatMap((line) => /^\d+\. (.*[^…\s])$/.exec(line)?.[1] ?? [])
    .slice(0, Math.min(Number(count), namedAtOnce));
  if (named.length === 0) return `${head}.`;
  const more = Number(count) - named.length;
  const names = named.map((name) => name.charAt(0).toLowerCase() + name.slice(1)).join(", ");
  return `${head}: ${names}${more > 0 ? ` and ${more} more` : ""}.`;
}
