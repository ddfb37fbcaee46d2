// JSON events out of a line that an agent printed. A line may be cut off, have two events on it, or be no event at all: what is not
// certainly an event of the agent is passed over. Objects inside of a line that was torn are never taken for events.

import { isRecord, readJson } from "../../lib/json.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** A tool that reads a picture makes lines of 10 MB; a longer one is not an event that matters to us. */
const lineMax = 64 * 1024 * 1024;
/** Two programs writing at once put a few events on a line, not more. */
const onOneLineMax = 100;

export function readEvents(line: string): readonly Fields[] {
  const text = line.trim();
  if (!text.startsWith("{") || text.length > lineMax) return [];
  const whole = readJson(text);
  return isRecord(whole) ? [whole] : readSeveral(text);
}

/** Objects one behind the other, from the beginning of the line up to the first that does not end. */
function readSeveral(text: string): readonly Fields[] {
  const found: Fields[] = [];
  let rest = text;
  while (rest.startsWith("{") && found.length < onOneLineMax) {
    const end = endOfObject(rest);
    if (end === null) break;
    const value = readJson(rest.slice(0, end));
    if (!isRecord(value)) break;
    found.push(value);
    rest = rest.slice(end).trimStart();
  }
  return found;
}

/** Where the object ends that the text begins with; braces in strings do not count. Null: it does not end. */
function endOfObject(text: string): number | null {
  let depth = 0;
  for (let place = 0; place < text.length; place++) {
    const character = text[place];
    if (character === '"') {
      const close = endOfString(text, place);
      if (close === null) return null;
      place = close;
    } else if (character === "{") depth += 1;
    else if (character === "}") depth -= 1;
    if (depth === 0) return place + 1;
  }
  return null;
}

/** Where the quote is that closes the string beginning at `open`. */
function endOfString(text: string, open: number): number | null {
  for (let place = open + 1; place < text.length; place++) {
    if (text[place] === "\\") place += 1;
    else if (text[place] === '"') return place;
  }
  return null;
}

/** The value below these keys; undefined where one of them is missing. */
export function at(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (inside, key) => (isRecord(inside) && Object.hasOwn(inside, key) ? inside[key] : undefined),
    value,
  );
}

export const textAt = (value: unknown, ...keys: readonly string[]): string => {
  const found = at(value, ...keys);
  return typeof found === "string" ? found : "";
};

/** A count or an amount; zero where it is missing, negative, or no number. */
export const numberAt = (value: unknown, ...keys: readonly string[]): number => {
  const found = at(value, ...keys);
  return typeof found === "number" && Number.isFinite(found) && found > 0 ? found : 0;
};

/** An HTTP status, where one is told. */
export function statusAt(value: unknown, ...keys: readonly string[]): number | null {
  const found = at(value, ...keys);
  const status = typeof found === "string" && /^\d{3}$/.test(found) ? Number(found) : found;
  return typeof status === "number" && Number.isInteger(status) && status >= 100 && status <= 599 ? status : null;
}

export const listAt = (value: unknown, ...keys: readonly string[]): readonly unknown[] => {
  const found = at(value, ...keys);
  return Array.isArray(found) ? found : [];
};
