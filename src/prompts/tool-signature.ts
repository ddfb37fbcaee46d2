// The arguments of a tool in one line, from its JSON schema: what a model needs to call it, at a tenth of the size.

import { clipLine } from "../domain/planner/clip.ts";

type Schema = Readonly<Record<string, unknown>>;

/** Deeper than this nobody writes arguments by hand. */
const depthMax = 3;
const describedMax = 90;

/** `title: string, priority?: integer 1–5 | null — 1 is most urgent`. */
export function toolSignature(schema: unknown): string {
  const { properties, required } = asSchema(schema);
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(asSchema(properties))
    .map(([name, value]) => `${name}${needed.includes(name) ? "" : "?"}: ${typeOf(value, 0)}${about(value)}`)
    .join("; ");
}

const asSchema = (value: unknown): Schema => (typeof value === "object" && value !== null ? (value as Schema) : {});

function about(value: unknown): string {
  const { description } = asSchema(value);
  return typeof description === "string" && description !== "" ? ` — ${clipLine(description, describedMax)}` : "";
}

function typeOf(value: unknown, depth: number): string {
  const schema = asSchema(value);
  if (depth > depthMax) return "any";
  if (Array.isArray(schema.enum)) return schema.enum.map((each) => JSON.stringify(each)).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const either = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(either)) return [...new Set(either.map((each) => typeOf(each, depth + 1)))].join(" | ");
  if (schema.type === "array") return `list of ${typeOf(schema.items, depth + 1)}`;
  if (schema.type === "object") return objectOf(schema, depth);
  return `${schema.format === "uuid" ? "id" : String(schema.type ?? "any")}${rangeOf(schema)}`;
}

function objectOf(schema: Schema, depth: number): string {
  const entries = Object.entries(asSchema(schema.properties));
  if (entries.length === 0) return "object";
  return `{ ${entries.map(([name, inner]) => `${name}: ${typeOf(inner, depth + 1)}`).join(", ")} }`;
}

/** Bounds that a model could run into; the largest number there is, is none. */
function rangeOf({ minimum, maximum }: Schema): string {
  if (typeof minimum !== "number" || typeof maximum !== "number" || maximum > 1e9) return "";
  return ` ${minimum}–${maximum}`;
}
