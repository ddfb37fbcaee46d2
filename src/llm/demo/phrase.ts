// Small changes to words: choosing among ways of saying something by a seed instead of by chance, putting words into a
// sentence, cutting long ones. It knows nothing of objectives.

/** FNV-1a: the same text, the same number, on every machine. Longer texts differ in their beginnings or not at all. */
const hashedMax = 20_000;
export function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < Math.min(text.length, hashedMax); at++)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash;
}

export function pick<T>(ways: readonly [T, ...T[]], seed: number): T {
  return ways[seed % ways.length] ?? ways[0];
}

/** `count` of them, beginning somewhere else for each seed. */
export function rotate<T>(items: readonly T[], seed: number, count = items.length): readonly T[] {
  const from = items.length === 0 ? 0 : seed % items.length;
  return [...items.slice(from), ...items.slice(0, from)].slice(0, count);
}

export type Words = Readonly<Record<string, string>>;

/** `{topic}` becomes the word of that name; a sentence begins with a capital whatever came to its front. */
export function fill(text: string, words: Words): string {
  const filled = text.replaceAll(/\{(\w+)\}/g, (_all, name: string) => words[name] ?? "this");
  return capital(filled.replaceAll(/ {2,}/g, " "));
}

export function capital(text: string): string {
  const [first = ""] = text;
  return `${first.toUpperCase()}${text.slice(first.length)}`;
}

/** A, B and C. */
export function listed(items: readonly string[]): string {
  if (items.length < 2) return items.join("");
  return `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}

export function count(number: number, one: string, many = `${one}s`): string {
  const words = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
  return `${words[number] ?? number} ${number === 1 ? one : many}`;
}

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
