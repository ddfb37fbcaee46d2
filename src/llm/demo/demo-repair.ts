// The repair's part of the demo model: arguments made to fit a JSON schema by rules. Fields by another name get the right one, words
// become the numbers they mean, unknown fields go. It invents nothing: what is missing stays missing.

import { z } from "zod";

type Args = Readonly<Record<string, unknown>>;

const field = z.looseObject({
  type: z.string().optional(),
  enum: z.array(z.string()).optional(),
  anyOf: z.array(z.looseObject({ type: z.string().optional() })).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
});
const shape = z.looseObject({ properties: z.record(z.string(), field) });
const record = z.record(z.string(), z.unknown());

/** Names that mean the same to most people. */
const synonyms = ["title name heading", "content text body markdown", "description details", "due_at due deadline"];
/** 1 is most urgent. */
const degrees = ["", "urgent critical", "high important", "medium normal", "low", "lowest someday"];

export function repairByRules(args: unknown, schema: unknown): Args {
  const text =
    typeof args === "string"
      ? z
          .string()
          .transform((raw) => readJson(raw))
          .parse(args)
      : args;
  const given = record.safeParse(text).data ?? {};
  const properties = shape.safeParse(schema).data?.properties;
  if (properties === undefined) return given;
  const fitted = Object.entries(properties).map(([name, wanted]) => [
    name,
    fitValue(find(given, name, properties), wanted),
  ]);
  return Object.fromEntries(fitted.filter(([, value]) => value !== undefined));
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The field itself, or one that the schema does not know and that means the same. */
function find(given: Args, name: string, properties: Args): unknown {
  const same = synonyms.find((names) => names.split(" ").includes(name))?.split(" ") ?? [];
  const other = same.find((each) => each in given && !(each in properties));
  return given[name] ?? given[other ?? name];
}

const plain = (word: unknown): string =>
  String(word)
    .toLowerCase()
    .replaceAll(/[^a-z]/g, "");

function fitValue(value: unknown, { type, anyOf, enum: words, ...limits }: z.output<typeof field>): unknown {
  if (value === undefined || value === null) return value;
  if (words) return words.find((word) => plain(word) === plain(value)) ?? value;
  const way = { ...limits, ...anyOf?.find((each) => each.type !== "null"), ...(type ? { type } : {}) };
  if (way.type !== "integer" && way.type !== "number") return value;
  const degree = degrees.findIndex((names) => names.split(" ").includes(plain(value)));
  const number = degree > 0 ? degree : Number.parseFloat(String(value));
  const least = typeof way.minimum === "number" ? way.minimum : number;
  const most = typeof way.maximum === "number" ? way.maximum : number;
  return Number.isFinite(number) ? Math.min(most, Math.max(least, Math.round(number))) : undefined;
}
