// Small changes to words: putting them into a sentence, cutting long ones, taking markup out of them. It knows nothing of
// objectives.

/** `{topic}` becomes the word of that name, with a capital where the text begins with it. */
export const fill = (text: string, words: Readonly<Record<string, string | number>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string, at: number) =>
    (at === 0 ? capital : String)(String(words[name] ?? whole)),
  );
export const capital = (text: string): string => text.replace(/^./su, (first) => first.toUpperCase());

/** A, B and C. */
export const listed = (items: readonly string[], and: string): string =>
  items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} ${and} ${items.at(-1)}`;

/** On one line, cut between words where there are any; never through the middle of a sign of two halves. */
export function shorten(text: string, max: number): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  if (line.length <= max) return line;
  const cut = line.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, "");
  const space = cut.lastIndexOf(" ");
  return `${(space > max / 2 ? cut.slice(0, space) : cut).replace(/[\s,;:.–-]+$/, "")}…`;
}

/** Without what Markdown would read as structure, so that words of others stay words. */
export function plainWords(text: string): string {
  const withoutLinks = text
    .replaceAll(/!?\[([^[\]]{0,300})\]\([^()]{0,500}\)/g, "$1")
    .replaceAll(/https?:\/\/\S+/g, " ");
  return withoutLinks
    .replaceAll(/^[ \t]*(?:[#>]+|[-*+•]|\d{1,3}[.)])[ \t]+/gm, "")
    .replaceAll(/[`*_<>|{}[\]\\$]+|(?<!\p{L})#+/gu, " ")
    .replaceAll(/[\p{Cc}\p{Cf}]+/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

export const countWords = (text: string): number => text.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length;

/** A short mark for a text, the same on every machine. */
export function markOf(text: string): string {
  let hash = 0x811c9dc5;
  for (const sign of text.slice(0, 2_000)) hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash.toString(36);
}

/** Lines of `name :: column :: column`, by their names. */
export const readTable = (table: string): ReadonlyMap<string, readonly string[]> =>
  new Map(Array.from(table.matchAll(/^(\S+) :: (.*)$/gm), ([, name = "", rest = ""]) => [name, rest.split(" :: ")]));
