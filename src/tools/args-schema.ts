// The arguments of a tool as JSON schema, small enough to be shown to a model with many others.

import { z } from "zod";
import type { Tool } from "./tool.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Characters of JSON, about 1,000 tokens. Ours have half of that; a foreign tool may come with anything. */
export const schemaMax = 4_000;

export function argsSchema({ args }: Pick<Tool, "args">): JsonSchema {
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
      // The format says the same in a word.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      delete jsonSchema.propertyNames;
      shrink(jsonSchema as Record<string, unknown>);
    },
  });
  return schema;
}

const sizeOf = (schema: JsonSchema) => JSON.stringify(schema).length;
