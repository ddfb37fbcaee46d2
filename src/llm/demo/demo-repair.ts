// The repair's part of the demo model: arguments made to fit a JSON schema by rules. Text becomes the object it holds, fields by
// another name get the right one, unknown fields go. What is missing stays missing.

import { z } from "zod";
import { readJson } from "../../lib/json.ts";

type Args = Readonly<Record<string, unknown>>;

const record = z.record(z.string(), z.unknown());
const repairView = z.looseObject({ args: z.unknown(), schema: z.looseObject({ properties: record }) });

/** Names that mean the same to most people. */
const synonyms = ["title name heading", "content text body markdown", "description details", "due_at due deadline"];

export function repairByRules(view: unknown): Args {
  const read = repairView.safeParse(view);
  if (!read.success) return {};
  const { args, schema } = read.data;
  const given = record.safeParse(typeof args === "string" ? readJson(args) : args).data ?? {};
  const { properties } = schema;
  const fitted = Object.keys(properties).map((name) => [name, find(given, name, properties)] as const);
  return Object.fromEntries(fitted.filter(([, value]) => value !== undefined));
}

/** The field itself, or one that the schema does not know and that means the same. */
function find(given: Args, name: string, properties: Args): unknown {
  const same = synonyms.find((names) => names.split(" ").includes(name))?.split(" ") ?? [];
  return given[name] ?? given[same.find((each) => each in given && !(each in properties)) ?? name];
}
