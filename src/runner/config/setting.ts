// What a setting is: how its value is checked, what it is without one, who may set it. Settings stand in groups (`selection`, `serve`)
// or in families whose members have names of their own (`agents.claude`, `selection.weights.claude`).

import { z } from "zod";
import { parseDuration } from "./durations.ts";

export type Leaf<Out = unknown> = {
  readonly kind: "leaf";
  readonly schema: z.ZodType<Out>;
  /** The value as one writes it; null: not set. */
  readonly fallback: string | number | null | readonly string[];
  readonly about: string;
  /** How a variable or an option is read. */
  readonly form: "text" | "path" | "number" | "list";
  /** Only the owner's own file, variables and options: agents can write the files of a task or a project. */
  readonly isOwners: boolean;
  readonly isSecret: boolean;
  /** Files that agents can write may lower it and not raise it. */
  readonly isCeiling: boolean;
};
export type Group = {
  readonly kind: "group";
  readonly about: string;
  readonly members: Readonly<Record<string, Setting>>;
};
export type Family = { readonly kind: "family"; readonly about: string; readonly member: Setting };
export type Setting = Leaf | Group | Family;

type LeafOptions = { readonly owners?: true; readonly secret?: true; readonly ceiling?: true };

const leaf = <Out>(
  form: Leaf["form"],
  schema: z.ZodType<Out>,
  fallback: Leaf["fallback"],
  about: string,
  { owners, secret, ceiling }: LeafOptions = {},
): Leaf<Out> => ({
  kind: "leaf",
  schema,
  fallback,
  about,
  form,
  isOwners: owners === true,
  isSecret: secret === true,
  isCeiling: ceiling === true,
});

export const count = (min: number, max: number, fallback: number, about: string, options?: LeafOptions) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return leaf("number", z.int({ error }).min(min, { error }).max(max, { error }), fallback, about, options);
};

/** Dollars, kept as whole micro-dollars; null: no limit. */
export const dollars = (max: number, about: string) => {
  const error = `must be an amount of dollars from 0 to ${max}, such as 2.50`;
  const schema = z
    .number({ error })
    .min(0, { error })
    .max(max, { error })
    .transform((value) => Math.round(value * 1_000_000))
    .nullable();
  return leaf("number", schema, null, about, { ceiling: true });
};

/** In milliseconds. */
export const duration = (min: string, max: string, fallback: string, about: string) =>
  leaf("text", durationSchema(min, max), fallback, about);

/** The same, where null means no limit. */
export const limit = (min: string, max: string, fallback: string, about: string) =>
  leaf("text", durationSchema(min, max).nullable(), fallback, `${about} null: no limit.`);

function durationSchema(min: string, max: string) {
  const error = `must be a duration from "${min}" to "${max}", such as "90s", "5m" or "1h30m"`;
  const [least, most] = [parseDuration(min) ?? 0, parseDuration(max) ?? 0];
  return z.string({ error }).transform((text, context) => {
    const ms = parseDuration(text);
    if (ms !== null && ms >= least && ms <= most) return ms;
    context.addIssue({ code: "custom", message: error });
    return z.NEVER;
  });
}

const textMax = 4_000;
const textSchema = z
  .string({ error: "must be text in quotes" })
  .min(1, { error: "must not be empty" })
  .max(textMax, { error: `may have ${textMax} characters` });

export const text = (fallback: string, about: string, options?: LeafOptions) =>
  leaf("text", textSchema, fallback, about, options);

export const optionalText = (about: string, options?: LeafOptions) =>
  leaf("text", textSchema.nullable(), null, about, options);

/** Files and folders: `~` is the home folder, and a relative path begins at the file that names it. */
export const folder = (fallback: string, about: string, options?: LeafOptions) =>
  leaf("path", textSchema, fallback, about, options);

export const optionalFile = (about: string, options?: LeafOptions) =>
  leaf("path", textSchema.nullable(), null, about, options);

export const webAddress = (about: string, options?: LeafOptions) =>
  leaf(
    "text",
    z.url({ protocol: /^https?$/, error: "must be an address that begins with https:// or http://" }).nullable(),
    null,
    about,
    options,
  );

export const oneOf = <const Words extends readonly [string, ...string[]]>(
  words: Words,
  fallback: Words[number],
  about: string,
) => leaf("text", z.enum(words, { error: `must be one of ${words.join(", ")}` }), fallback, about);

export const optionalOneOf = <const Words extends readonly [string, ...string[]]>(
  words: Words,
  about: string,
  options?: LeafOptions,
) => leaf("text", z.enum(words, { error: `must be one of ${words.join(", ")}` }).nullable(), null, about, options);

const itemsMax = 100;

export const list = (about: string, options?: LeafOptions) => {
  const error = `must be a list of at most ${itemsMax} texts`;
  const schema = z
    .array(z.string({ error }).min(1, { error }).max(textMax, { error }), { error })
    .max(itemsMax, { error });
  return leaf("list", schema, [], about, options);
};

type GroupOf<Members> = { readonly kind: "group"; readonly about: string; readonly members: Members };
type FamilyOf<Member> = { readonly kind: "family"; readonly about: string; readonly member: Member };

export function group<Members extends Readonly<Record<string, Setting>>>(
  about: string,
  members: Members,
): GroupOf<Members> {
  return { kind: "group", about, members };
}

export function family<Member extends Setting>(about: string, member: Member): FamilyOf<Member> {
  return { kind: "family", about, member };
}
