// The body of a request as JSON: exactly what was sent, or an error that says why not.

import type { Context } from "hono";
import { AppError } from "../lib/app-error.ts";

const decoder = new TextDecoder("utf-8", { fatal: true });

export async function readJson(c: Context): Promise<unknown> {
  const bytes = await c.req.arrayBuffer();
  try {
    const text = decoder.decode(bytes);
    // Looked for in the text first: to look at every key costs as much again as parsing.
    return maybeProto.test(text) ? JSON.parse(text, refuseProto) : JSON.parse(text);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError("malformed_json", "The body is not valid JSON in UTF-8", { cause });
  }
}

const maybeProto = /__proto__|\\u005f/i;

/** Copying an object with this key changes the copy's prototype; checks that copy would not even see it. */
function refuseProto(key: string, value: unknown): unknown {
  if (key === "__proto__") throw new AppError("invalid_request", "body: __proto__ cannot be the name of anything");
  return value;
}
