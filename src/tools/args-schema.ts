// The arguments of a tool as JSON schema, small enough to be shown to a model with many others.

import { z } from "zod";
import { isRecord } from "../lib/json.ts";
import type { Tool } from "./tool.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Characters of JSON, about 1,000 tokens. Ours have half of that; a foreign tool may come with anything. */
export const schemaMax = 4_000;

/** Making one takes a millisecond, and a conversation needs those of all tools for every answer. */
const known = new WeakMap<z.ZodType, JsonSchema>();

export function argsSchema({ args }: Pick<Tool, "args">): JsonSchema {
  const schema = known.get(args) ?? makeSchema(args);
  known.set(args, schema);
  return schema;
}

function makeSchema(args: z.ZodType): JsonSchema {
  const whole = toJsonSchema(args, () => {});
  if (sizeOf(whole) <= schemaMax) return whole;
  const bare = toJsonSchema(args, (schema) => {
    for (const key of ["description", "title", "examples", "default"]) delete schema[key];
  });
  if (sizeOf(bare) <= schemaMax) return bare;
  return { type: "object", description: "Its schema is too large to be shown; go by the tool's description." };
}

function toJsonSchema(args: z.ZodType, shrink: (schema: Record<string, unknown>) => void): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(args, {
    io: "input",
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      const schema = jsonSchema as Record<string, unknown>;
      for (const key of unsaid) delete schema[key];
      if (isRecord(schema.properties)) for (const name of unasked) delete schema.properties[name];
      leaveOutObvious(schema);
      shrink(schema);
    },
  });
  return schema;
}

/** Bounds that no model runs into cost tokens in every call; where one does, the error says so. */
const unsaid = ["propertyNames", "minLength", "maxLength", "pattern", "minItems", "maxItems"];
const numberMax = 9_999;

/**
 * Taken where a model gives them, but not asked for: whose words a write holds is what the platform saw the run read, questions
 * have a tool of their own, and the rest of a status decides nothing.
 */
const unasked = [
  "source",
  "completion_evidence",
  "next_action_hint",
  "confidence",
  "needs_user_input",
  "blocking_questions",
];

function leaveOutObvious(schema: Record<string, unknown>): void {
  for (const key of ["maximum", "minimum"]) if (Math.abs(Number(schema[key])) > numberMax) delete schema[key];
  if (schema.minimum === 0 || schema.minimum === 1) delete schema.minimum;
  if (isNothing(schema.default)) delete schema.default;
}

/** What an argument that is left out is taken for anyway. */
const isNothing = (value: unknown) => !value || (Array.isArray(value) && value.length === 0);

const sizeOf = (schema: JsonSchema) => JSON.stringify(schema).length;
