// A value that fits a schema of the contract, with something in every field: optional ones, one item in each list, nothing null. So a
// fake server can answer any route without each answer being written by hand.

import type { z } from "zod";

export const sampleId = "0198c2a4-0000-7000-8000-000000000001";

type Def = {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly element?: z.ZodType;
  readonly innerType?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly entries?: Readonly<Record<string, string>>;
  readonly values?: readonly unknown[];
  readonly in?: z.ZodType;
  readonly items?: readonly z.ZodType[];
  readonly valueType?: z.ZodType;
};

const wrappers = ["optional", "nullable", "default", "prefault", "readonly", "nonoptional", "catch"];

export function sampleOf(schema: z.ZodType): unknown {
  const def = schema.def as unknown as Def;
  if (wrappers.includes(def.type)) return sampleOf(def.innerType as z.ZodType);
  switch (def.type) {
    case "object":
      // Every list has one page.
      return Object.fromEntries(
        Object.entries(def.shape ?? {}).map(([name, field]) => [
          name,
          name.startsWith("next_") ? null : sampleOf(field),
        ]),
      );
    case "array":
      return [sampleOf(def.element as z.ZodType)];
    case "tuple":
      return (def.items ?? []).map(sampleOf);
    case "union":
      return sampleOf(def.options?.[0] as z.ZodType);
    case "enum":
      return Object.values(def.entries ?? {})[0];
    case "literal":
      return def.values?.[0];
    case "pipe":
      return sampleOf(def.in as z.ZodType);
    case "boolean":
      return true;
    case "number":
      return fitting(schema, [1, 0.5, 100, 5_000]);
    case "string":
      return fitting(schema, ["word", sampleId, "2030-03-17T17:36:40Z", "https://server.test/x", "planner/one", "UTC"]);
    case "record":
      return {};
    case "lazy":
      return undefined;
    case "unknown":
    case "any":
      return {};
    default:
      throw new Error(`a schema of a kind that samples do not know: ${def.type}`);
  }
}

function fitting(schema: z.ZodType, candidates: readonly unknown[]): unknown {
  const found = candidates.find((each) => schema.safeParse(each).success);
  if (found === undefined) throw new Error("a value that no sample fits: add one");
  return found;
}
