// Cuts texts to a size for a prompt, and says that it did. Prompts stay the same size however old a run is.

const noteLength = 30;

/** From the beginning; what is cut away is counted. */
export function clip(text: string, max: number): string {
  // The note would be longer than what it stands for.
  if (text.length <= max + noteLength) return text;
  const shown = text.slice(0, Math.max(0, max)).trimEnd();
  return `${shown} […${text.length - shown.length} more characters]`;
}

/** The end of it, which is the newest of a journal. */
export function clipStart(text: string, max: number): string {
  return text.length <= max ? text : `[…]\n${text.slice(-max).trimStart()}`;
}

/** On one line. */
export const clipLine = (text: string, max: number): string => clip(text.replaceAll(/\s+/g, " ").trim(), max);

/** The first line with words, without the marks of a heading or a list; what is too long ends with a mark. */
export function firstLine(text: string, max: number): string {
  const line = text.split("\n").find((each) => /[\p{L}\p{N}]/u.test(each)) ?? "";
  return cutLine(line.replace(/^[\s#>*+-]+/, "").replace(/\*\*/g, ""), max);
}

/** The fields of arguments that say what a call was about, in a line. */
export function keyFields(args: unknown, max: number): string {
  if (typeof args !== "object" || args === null) return clipLine(JSON.stringify(args) ?? "", max);
  const shown = Object.entries(args).map(([key, value]) => `${key}=${cutLine(plain(value), 80)}`);
  return cutLine(shown.join(", "), max);
}

/** On one line, with a mark where something is missing: what is cut twice must not be counted. */
function cutLine(text: string, max: number): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= max ? line : `${line.slice(0, max - 1).trimEnd()}…`;
}

const plain = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

/** The same value with its long texts cut, for an entry that says what something was called with. */
export function shortenDeep(value: unknown, max: number): unknown {
  if (typeof value === "string") return clip(value, max);
  if (Array.isArray(value)) return value.slice(0, shownMax).map((each) => shortenDeep(each, max));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).slice(0, shownMax);
  return Object.fromEntries(entries.map(([key, inner]) => [key, shortenDeep(inner, max)]));
}

/** Of a list or an object; more than a person looks through. */
const shownMax = 100;

/** Head and tail, with how much is missing between them: a result stands at the end, what it is about at the beginning. */
export function clipMiddle(text: string, max: number): string {
  if (text.length <= max + noteLength) return text;
  const half = Math.floor(Math.max(0, max) / 2);
  const [head, tail] = [text.slice(0, half).trimEnd(), text.slice(-half).trimStart()];
  return `${head}\n[…${text.length - head.length - tail.length} characters left out…]\n${tail}`;
}

/** What `clipMiddle` leaves out, and some of what it shows: for a second look. */
export function clipEnds(text: string, max: number): string {
  if (text.length <= max + noteLength) return text;
  const from = Math.floor((text.length - Math.max(0, max)) / 2);
  const middle = text.slice(from, from + max);
  return `[…${from} characters left out…]\n${middle.trim()}\n[…${text.length - from - max} characters left out…]`;
}
