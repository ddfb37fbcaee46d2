// Reads what a model wrote into a shape as far as it fits: too long texts and lists are cut, and each cut is told. What does not fit
// for another reason is refused with the reason.

import type { z } from "zod";

export type Fitted<T> =
  | { readonly isRead: true; readonly value: T; readonly cuts: readonly string[] }
  | { readonly isRead: false; readonly why: string };

/** Every cut may show another one below it; shapes here are not deeper. */
const roundsMax = 4;

export function fitAnswer<T>(schema: z.ZodType<T>, answer: unknown): Fitted<T> {
  let value = answer;
  const cuts: string[] = [];
  for (let round = 0; ; round++) {
    const parsed = schema.safeParse(value);
    if (parsed.success) return { isRead: true, value: parsed.data, cuts };
    const tooLong = parsed.error.issues.filter(isTooLong);
    if (tooLong.length < parsed.error.issues.length || round === roundsMax)
      return { isRead: false, why: describeProblem(parsed.error) };
    for (const { path, maximum } of tooLong) {
      value = cutAt(value, path, Number(maximum));
      cuts.push(`${placeOf(path)} was cut to ${maximum}`);
    }
  }
}

type TooLong = Extract<z.core.$ZodIssue, { code: "too_big" }>;
const isTooLong = (issue: z.core.$ZodIssue): issue is TooLong =>
  issue.code === "too_big" && (issue.origin === "string" || issue.origin === "array");

function cutAt(value: unknown, path: readonly PropertyKey[], max: number): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return typeof value === "string" || Array.isArray(value) ? value.slice(0, max) : value;
  if (Array.isArray(value)) return value.map((each, n) => (n === key ? cutAt(each, rest, max) : each));
  if (typeof value !== "object" || value === null) return value;
  return { ...value, [key]: cutAt((value as Record<PropertyKey, unknown>)[key], rest, max) };
}

/** The first problem; a model that mends it is told the next. */
function describeProblem({ issues }: z.ZodError): string {
  const [first] = issues;
  return first === undefined ? "it does not fit" : `${placeOf(first.path)}: ${first.message}`;
}

const placeOf = (path: readonly PropertyKey[]): string => (path.length === 0 ? "it" : path.map(String).join("."));
