// Asks for an object of a certain shape. What a model sends is parsed and checked here; what does not fit goes back with the
// reason, twice at most. Nothing is mended on the way: only what the model itself said is believed.

import type { z } from "zod";
import { type Asked, type AskInput, askModel } from "./ask-model.ts";
import { findObject } from "./find-object.ts";
import type { ModelMessage, ModelRef } from "./model.ts";

export type AskForObjectInput<T> = AskInput & {
  readonly schema: z.ZodType<T>;
  /** The words that send an answer back, from what is wrong with it. */
  readonly describe: (why: string) => string;
};

export type AskedForObject<T> =
  | { readonly kind: "object"; readonly object: T; readonly model: ModelRef }
  /** It never fitted; `why` is about the last answer. */
  | { readonly kind: "malformed"; readonly why: string; readonly model: ModelRef }
  | Exclude<Asked, { kind: "answered" }>;

/** A model that gets it wrong three times will get it wrong a fourth time. */
const againMax = 2;

export async function askForObject<T>(input: AskForObjectInput<T>): Promise<AskedForObject<T>> {
  const { schema, describe, key, request } = input;
  let messages: readonly ModelMessage[] = request.messages;
  for (let again = 0; ; again++) {
    const entryKey = again === 0 ? key : `${key}/again:${again}`;
    const asked = await askModel({ ...input, key: entryKey, request: { ...request, messages } });
    if (asked.kind !== "answered") return asked;
    const { text } = asked.answer;
    const read = readObject(text, schema);
    if (read.ok) return { kind: "object", object: read.object, model: asked.model };
    if (again === againMax) return { kind: "malformed", why: read.why, model: asked.model };
    messages = [
      ...messages,
      // Providers refuse a message without text; an answer may have nothing but unwanted calls.
      ...(text.trim() === "" ? [] : [{ role: "assistant" as const, text, toolCalls: [], native: asked.answer.native }]),
      { role: "user", text: describe(read.why) },
    ];
  }
}

export type ReadObject<T> = { readonly ok: true; readonly object: T } | { readonly ok: false; readonly why: string };

/** Also for a text that is there already. */
export function readObject<T>(text: string, schema: z.ZodType<T>): ReadObject<T> {
  const found = findObject(text);
  if (found.kind === "none") return { ok: false, why: found.why };
  const parsed = schema.safeParse(found.value);
  return parsed.success ? { ok: true, object: parsed.data } : { ok: false, why: sayProblems(parsed.error) };
}

/** One line each; a model mends the first ones and the rest with them. */
const problemsMax = 12;

export function sayProblems({ issues }: z.ZodError): string {
  const lines = issues.slice(0, problemsMax).map(({ path, message }) => `- ${placeOf(path)}: ${message}`);
  const left = issues.length - lines.length;
  return [...lines, ...(left > 0 ? [`- and ${left} more`] : [])].join("\n");
}

/** `steps[2].title`; the object itself has no name. */
function placeOf(path: readonly PropertyKey[]): string {
  const joined = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`)).join("");
  return joined === "" ? "(the whole object)" : joined.replace(/^\./, "");
}
