// A JSON value as jsonb gives it back: keys by length, then by bytes. What is kept and what was there before it was kept are then
// the same bytes for everyone who writes them down again.

import { isRecord } from "./json.ts";

export function toStoredJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value ?? null), (_, each: unknown) => (isRecord(each) ? inOrder(each) : each)) as T;
}

function inOrder(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const keys = Object.keys(value).map((key) => ({ key, bytes: Buffer.from(key) }));
  keys.sort((a, b) => a.bytes.length - b.bytes.length || Buffer.compare(a.bytes, b.bytes));
  return Object.fromEntries(keys.map(({ key }) => [key, value[key]]));
}
