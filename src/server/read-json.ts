// The body of a request as JSON: exactly what was sent, or an error that says why not. It takes a time that grows with its length only, and
// refuses what would become far more objects than any request has.

import type { Context } from "hono";
import { AppError } from "../lib/app-error.ts";
import { readBody } from "./read-body.ts";

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Lists and objects with what is in them. The largest request of ours has some ten thousand; a body of `[],` would have millions. */
const partsMax = 100_000;
/** `props` may be nested twelve deep, and lie three deep in a body. */
const depthMax = 64;

export async function readJson(c: Context, bytesMax: number): Promise<unknown> {
  return parseBody(await readBody(c, bytesMax));
}

export function parseBody(bytes: Uint8Array): unknown {
  measure(bytes);
  try {
    const value: unknown = JSON.parse(decoder.decode(bytes));
    refuseProto(value);
    return value;
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError("malformed_json", "The body is not valid JSON in UTF-8", { cause });
  }
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
/** `[` and `{`, and `]` and `}`: they differ in one bit. */
const bit = 0x20;
const opening = 0x5b;
const closing = 0x5d;

/** One pass over the bytes, before anything is made of them. What is not JSON is found later. */
function measure(bytes: Uint8Array): void {
  let parts = 0;
  let depth = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === quote) at = endOfText(bytes, at);
    else if (byte === opening || byte === opening + bit) {
      depth += 1;
      parts += 1;
    } else if (byte === closing || byte === closing + bit) depth -= 1;
    else if (byte === comma) parts += 1;
    else continue;
    if (parts > partsMax) throw new AppError("too_large", `The body may have ${partsMax} values at most`);
    if (depth > depthMax) throw new AppError("invalid_request", `body: nested more than ${depthMax} deep`);
  }
}

/** Where the text that begins here ends. A plain loop: a text of nothing but escaped quotes costs no more than another. */
function endOfText(bytes: Uint8Array, begin: number): number {
  for (let at = begin + 1; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) return at;
    if (byte === backslash) at += 1;
  }
  return bytes.length;
}

/** Copying an object with this key changes the copy's prototype; checks that copy would not even see it. */
function refuseProto(value: unknown): void {
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next !== "object" || next === null) continue;
    if (Object.hasOwn(next, "__proto__"))
      throw new AppError("invalid_request", "body: __proto__ cannot be the name of anything");
    for (const inner of Object.values(next)) if (typeof inner === "object") waiting.push(inner);
  }
}
