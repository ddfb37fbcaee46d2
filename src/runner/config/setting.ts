// What a setting is: how its value is checked, what it is without one, who may set it. Settings stand in groups (`selection`, `serve`)
// or in families whose members have names of their own (`agents.claude`, `selection.weights.claude`).

import { type Fit, nullable, type Shape } from "../../lib/shape.ts";
import { parseDuration } from "./durations.ts";

type JsonSchema = Readonly<Record<string, unknown>>;

export type Leaf<Out = unknown> = {
  readonly kind: "leaf";
  /** Says of a value that it cannot take what it must be. */
  readonly shape: Shape<Out>;
  /** The same for editors: a JSON schema. */
  readonly json: JsonSchema;
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

/** What a value is read by, and how that is told to editors. */
type Kind<Out> = { readonly shape: Shape<Out>; readonly json: JsonSchema };

const leaf = <Out>(
  form: Leaf["form"],
  { shape, json }: Kind<Out>,
  fallback: Leaf["fallback"],
  about: string,
  { owners, secret, ceiling }: LeafOptions = {},
): Leaf<Out> => ({
  kind: "leaf",
  shape,
  json,
  fallback,
  about,
  form,
  isOwners: owners === true,
  isSecret: secret === true,
  isCeiling: ceiling === true,
});

const orNull = <Out>({ shape, json }: Kind<Out>): Kind<Out | null> => ({
  shape: nullable(shape),
  json: { anyOf: [json, { type: "null" }] },
});

const fits = <Out>(value: Out): Fit<Out> => ({ ok: true, value });
const misfit = (why: string): Fit<never> => ({ ok: false, at: "", why });

const isBetween = (value: unknown, min: number, max: number): value is number =>
  typeof value === "number" && value >= min && value <= max;

export const count = (min: number, max: number, fallback: number, about: string, options?: LeafOptions) => {
  const why = `must be a whole number from ${min} to ${max}`;
  const shape: Shape<number> = (value) =>
    isBetween(value, min, max) && Number.isInteger(value) ? fits(value) : misfit(why);
  return leaf("number", { shape, json: { type: "integer", minimum: min, maximum: max } }, fallback, about, options);
};

/** Dollars, kept as whole micro-dollars; null: no limit. */
export const dollars = (max: number, about: string) => {
  const why = `must be an amount of dollars from 0 to ${max}, such as 2.50`;
  const shape: Shape<number> = (value) =>
    isBetween(value, 0, max) ? fits(Math.round(value * 1_000_000)) : misfit(why);
  return leaf("number", orNull({ shape, json: { type: "number", minimum: 0, maximum: max } }), null, about, {
    ceiling: true,
  });
};

/** In milliseconds. */
export const duration = (min: string, max: string, fallback: string, about: string) =>
  leaf("text", durationKind(min, max), fallback, about);

/** The same, where null means no limit. */
export const limit = (min: string, max: string, fallback: string, about: string) =>
  leaf("text", orNull(durationKind(min, max)), fallback, `${about} null: no limit.`);

function durationKind(min: string, max: string): Kind<number> {
  const why = `must be a duration from "${min}" to "${max}", such as "90s", "5m" or "1h30m"`;
  const [least, most] = [parseDuration(min) ?? 0, parseDuration(max) ?? 0];
  const shape: Shape<number> = (value) => {
    const ms = typeof value === "string" ? parseDuration(value) : null;
    return isBetween(ms, least, most) ? fits(ms) : misfit(why);
  };
  return { shape, json: { type: "string" } };
}

const textMax = 4_000;
const textKind: Kind<string> = {
  shape: (value) => {
    if (typeof value !== "string") return misfit("must be text in quotes");
    if (value === "") return misfit("must not be empty");
    return value.length > textMax ? misfit(`may have ${textMax} characters`) : fits(value);
  },
  json: { type: "string", minLength: 1, maxLength: textMax },
};

export const text = (fallback: string, about: string, options?: LeafOptions) =>
  leaf("text", textKind, fallback, about, options);

export const optionalText = (about: string, options?: LeafOptions) =>
  leaf("text", orNull(textKind), null, about, options);

/** Files and folders: `~` is the home folder, and a relative path begins at the file that names it. */
export const folder = (fallback: string, about: string, options?: LeafOptions) =>
  leaf("path", textKind, fallback, about, options);

export const optionalFile = (about: string, options?: LeafOptions) =>
  leaf("path", orNull(textKind), null, about, options);

export const webAddress = (about: string, options?: LeafOptions) => {
  const shape: Shape<string> = (value) =>
    typeof value === "string" && /^https?:$/.test(URL.parse(value)?.protocol ?? "")
      ? fits(value)
      : misfit("must be an address that begins with https:// or http://");
  return leaf("text", orNull({ shape, json: { type: "string", format: "uri" } }), null, about, options);
};

function oneOfKind<const Words extends readonly [string, ...string[]]>(words: Words): Kind<Words[number]> {
  const shape: Shape<Words[number]> = (value) => {
    const found = words.find((word) => word === value);
    return found === undefined ? misfit(`must be one of ${words.join(", ")}`) : fits(found);
  };
  return { shape, json: { type: "string", enum: words } };
}

export const oneOf = <const Words extends readonly [string, ...string[]]>(
  words: Words,
  fallback: Words[number],
  about: string,
) => leaf("text", oneOfKind(words), fallback, about);

export const optionalOneOf = <const Words extends readonly [string, ...string[]]>(
  words: Words,
  about: string,
  options?: LeafOptions,
) => leaf("text", orNull(oneOfKind(words)), null, about, options);

const itemsMax = 100;

export const list = (about: string, options?: LeafOptions) => {
  const isItem = (value: unknown): value is string => textKind.shape(value).ok;
  const shape: Shape<string[]> = (value) =>
    Array.isArray(value) && value.length <= itemsMax && value.every(isItem)
      ? fits(value)
      : misfit(`must be a list of at most ${itemsMax} texts`);
  return leaf("list", { shape, json: { maxItems: itemsMax, type: "array", items: textKind.json } }, [], about, options);
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
