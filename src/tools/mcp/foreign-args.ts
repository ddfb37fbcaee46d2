// The arguments of a server's tool as a schema of ours. What a foreign schema could do harm with (patterns that take forever, sizes
// without end) or what cannot be expressed is left to the server, which checks its arguments itself.

import { z } from "zod";
import { spoilMarks, visibleText } from "../../domain/policy/fence-text.ts";
import { isRecord } from "../../lib/json.ts";

/** All tools are in every prompt. */
const schemaMax = 20_000;
const depthMax = 20;
const wordsMax = 400;

/** Regular expressions of strangers, and what has no equivalent. */
const left = new Set(
  "pattern patternProperties if then else not dependentSchemas dependentRequired unevaluatedProperties unevaluatedItems".split(
    " ",
  ),
);
/** Their keys are names, not words of JSON schema. */
const named = new Set(["properties", "$defs", "definitions"]);
/** Their values are data. */
const data = new Set(["enum", "const", "default", "examples", "required"]);

/** Null where nothing can be made of it. */
export function foreignArgs(inputSchema: Readonly<Record<string, unknown>>): z.ZodType<Record<string, unknown>> | null {
  if (JSON.stringify(inputSchema).length > schemaMax) return null;
  try {
    const known = tame({ ...inputSchema, type: "object" }, 0);
    const schema = z.fromJSONSchema(known as Parameters<typeof z.fromJSONSchema>[0]);
    z.toJSONSchema(schema, { io: "input" }); // it will have to be shown to a model
    return schema as z.ZodType<Record<string, unknown>>;
  } catch {
    return null;
  }
}

function tame(schema: unknown, depth: number): unknown {
  if (depth > depthMax) throw new Error("nested too deep");
  if (Array.isArray(schema)) return schema.map((part) => tame(part, depth + 1));
  if (!isRecord(schema)) return schema;
  const kept = Object.entries(schema).filter(([word]) => !left.has(word));
  return Object.fromEntries(kept.map(([word, value]) => [word, tameWord(word, value, depth)]));
}

function tameWord(word: string, value: unknown, depth: number): unknown {
  if (data.has(word)) return value;
  if (word === "description" || word === "title")
    return typeof value === "string" ? spoilMarks(visibleText(value)).slice(0, wordsMax) : "";
  if (!named.has(word) || !isRecord(value)) return tame(value, depth + 1);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, tame(part, depth + 1)]));
}
