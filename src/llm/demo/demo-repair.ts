// The repair's part of the demo model: arguments made to fit a JSON schema by rules. Words become the numbers they mean, fields
// by another name get the right one, what is too long is cut. It invents nothing: what is missing stays missing.

import { z } from "zod";

const field = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  maxLength: z.number().optional(),
});
type Field = z.output<typeof field>;

const shape = z.looseObject({
  properties: z.record(z.string(), z.unknown()).default({}),
  required: z.array(z.string()).default([]),
  additionalProperties: z.unknown().optional(),
});

type Args = Readonly<Record<string, unknown>>;

export function repairByRules(args: unknown, schema: unknown): Args {
  const given: Args = isRecord(args) ? args : isRecord(parsed(args)) ? (parsed(args) as Args) : {};
  const known = shape.safeParse(schema);
  if (!known.success || Object.keys(known.data.properties).length === 0) return given;
  const { properties, required } = known.data;
  const named = rename(given, Object.keys(properties), required);
  const fitting = Object.entries(named).map(
    ([name, value]) => [name, fitValue(value, fieldOf(properties[name]))] as const,
  );
  return Object.fromEntries(fitting.filter(([name, value]) => value !== undefined && Object.hasOwn(properties, name)));
}

const isRecord = (value: unknown): value is Args =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function parsed(value: unknown): unknown {
  if (typeof value !== "string") return null;
  try {
    return JSON.parse(value);
  } catch {
    return null;
  }
}

/** Names that mean the same to most people. */
const synonyms: readonly (readonly string[])[] = [
  ["title", "name", "heading", "subject"],
  ["content", "text", "body", "markdown"],
  ["description", "details", "summary"],
  ["id", "document_id", "task_id", "entity_id"],
  ["project_id", "project", "projectId"],
  ["due_at", "due", "deadline", "due_date"],
  ["query", "q", "search"],
  ["state", "status"],
];

/** A field nobody knows takes the place of one that is missing and means the same. */
function rename(given: Args, known: readonly string[], required: readonly string[]): Args {
  const missing = new Set(known.filter((name) => given[name] === undefined));
  const strangers = Object.keys(given).filter((name) => !known.includes(name));
  const pairs = strangers.flatMap((name) => {
    const plain = name.toLowerCase().replaceAll(/[^a-z]/g, "");
    const wanted = [...missing].filter((each) => each.replaceAll("_", "") === plain || meansSame(each, name));
    const target = wanted.find((each) => required.includes(each)) ?? wanted[0];
    if (target === undefined) return [];
    missing.delete(target);
    return [[target, given[name]] as const];
  });
  const kept = Object.entries(given).filter(([name]) => known.includes(name));
  return Object.fromEntries([...kept, ...pairs]);
}

const meansSame = (a: string, b: string): boolean => synonyms.some((names) => names.includes(a) && names.includes(b));

function fieldOf(value: unknown): Field {
  const read = field.safeParse(value);
  if (!read.success) return {};
  const ways = [...(read.data.anyOf ?? []), ...(read.data.oneOf ?? [])].map(fieldOf);
  const way = ways.find(({ type }) => type !== "null");
  return way ? { ...read.data, ...way } : read.data;
}

function fitValue(value: unknown, wanted: Field): unknown {
  const types = [wanted.type ?? []].flat();
  if (wanted.enum) return wanted.enum.find((each) => each === value || sameWord(each, value)) ?? value;
  if (types.includes("integer") || types.includes("number")) return toNumber(value, wanted, types.includes("integer"));
  if (types.includes("boolean") && typeof value === "string") return /^(?:true|yes|1)$/i.test(value);
  if (types.includes("array") && !Array.isArray(value) && value !== null) return [value];
  if (types.includes("string") && typeof value === "number") return String(value);
  if (types.includes("string") && typeof value === "string") return value.slice(0, wanted.maxLength ?? value.length);
  return value;
}

const sameWord = (a: unknown, b: unknown): boolean =>
  typeof a === "string" && typeof b === "string" && plainWord(a) === plainWord(b);
const plainWord = (word: string): string => word.toLowerCase().replaceAll(/[^a-z]/g, "");

/** 1 is most urgent. */
const degrees: Readonly<Record<string, number>> = {
  critical: 1,
  urgent: 1,
  highest: 1,
  high: 2,
  important: 2,
  medium: 3,
  normal: 3,
  moderate: 3,
  low: 4,
  lowest: 5,
  someday: 5,
};

/** Undefined where no number can be made of it: the field is then left out. */
function toNumber(value: unknown, { minimum, maximum }: Field, isWhole: boolean): number | null | undefined {
  if (value === null) return null;
  const number =
    typeof value === "number" ? value : (degrees[plainWord(String(value))] ?? Number.parseFloat(String(value)));
  if (!Number.isFinite(number)) return undefined;
  const whole = isWhole ? Math.round(number) : number;
  return Math.min(maximum ?? whole, Math.max(minimum ?? whole, whole));
}
