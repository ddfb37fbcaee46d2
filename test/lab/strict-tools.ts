// What providers refuse about the tools of a request: their names and the shape of their schemas. Only tests import it.

import { record, str } from "./lab-protocol.ts";

/** A tool as every protocol can be read. */
export type SentTool = {
  readonly name: string;
  readonly schema: Record<string, unknown>;
  readonly isStrict: boolean;
};

const rootUnions = ["oneOf", "anyOf", "allOf"] as const;

export const hasRootUnion = ({ schema }: SentTool): boolean => rootUnions.some((word) => schema[word] !== undefined);

/** What OpenAI says about a tool, or null. `param` is where the name stands in the request. */
export function refuseOpenAiTool(tool: SentTool, param: string): { rule: string; message: string } | null {
  const { name, schema } = tool;
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name))
    return {
      rule: "tool-name",
      message: `Invalid '${param}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]{1,64}$'.`,
    };
  const begin = `Invalid schema for function '${name}':`;
  if (schema.type !== "object" || hasRootUnion(tool) || schema.enum !== undefined || schema.not !== undefined)
    return {
      rule: "root-schema",
      message: `${begin} schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.`,
    };
  const problem = tool.isStrict ? findStrictProblem(schema, []) : null;
  return problem === null ? null : { rule: "strict-schema", message: `${begin} ${problem}` };
}

/** Schemas nest; deeper than this they are refused anyway. */
const depthMax = 10;

function findStrictProblem(schema: Record<string, unknown>, path: readonly string[]): string | null {
  const context = `In context=(${path.map((part) => `'${part}'`).join(", ")}),`;
  if (path.length > depthMax * 2) return `${context} nesting is too deep.`;
  if (schema.propertyNames !== undefined) return `${context} 'propertyNames' is not permitted.`;
  if (/\(\?<?[=!]/.test(str(schema.pattern))) return `${context} lookaround is not permitted in 'pattern'.`;
  if (schema.type === "object") {
    const properties = record(schema.properties);
    if (schema.additionalProperties !== false)
      return `${context} 'additionalProperties' is required to be supplied and to be false.`;
    const required = Array.isArray(schema.required) ? schema.required : [];
    const missing = Object.keys(properties).find((key) => !required.includes(key));
    if (missing !== undefined)
      return `${context} 'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`;
  }
  for (const [place, inner] of innerSchemas(schema)) {
    const problem = findStrictProblem(inner, [...path, ...place]);
    if (problem !== null) return problem;
  }
  return null;
}

function innerSchemas(schema: Record<string, unknown>): [string[], Record<string, unknown>][] {
  const below = (word: string) =>
    Object.entries(record(schema[word])).map(([key, inner]): [string[], Record<string, unknown>] => [
      [word, key],
      record(inner),
    ]);
  const listed = rootUnions.flatMap((word) =>
    (Array.isArray(schema[word]) ? schema[word] : []).map((inner, at): [string[], Record<string, unknown>] => [
      [word, String(at)],
      record(inner),
    ]),
  );
  const items: [string[], Record<string, unknown>][] =
    schema.items === undefined ? [] : [[["items"], record(schema.items)]];
  return [...below("properties"), ...below("$defs"), ...items, ...listed];
}
