// What a piece of text, an id, a key or a bag of properties may be on the wire.
// PostgreSQL cannot hold NUL or half a surrogate pair, so neither may get past here.

import { z } from "zod";
import { limits } from "../domain/entity/limits.ts";
import { sizeOfTexts } from "../domain/policy/foreign-text.ts";
import { foreignTextLimits } from "../domain/policy/foreign-text-limits.ts";

const hasNul = (value: string) => value.includes("\u0000");

export const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !hasNul(value), "must not contain NUL characters")
    .refine((value) => value.isWellFormed(), "must not contain half a surrogate pair");

/** Text that says something: not empty, not only blanks. */
export const filledText = (max: number) => text(max).refine((value) => value.trim() !== "", "must not be empty");

export const title = filledText(limits.title);

/** Compared as text here and there, so it has one spelling. */
export const id = z.uuid().toLowerCase();

/** Dotted lower-case names such as `document.homework.note`. */
export const typeKey = z
  .string()
  .max(limits.key)
  .regex(/^[a-z0-9_]+(\.[a-z0-9_]+)*$/, "must be lower-case words joined by dots");

/** For a list whose items name different things. */
export const differIn =
  <Name extends string>(name: Name) =>
  (items: readonly Readonly<Record<Name, unknown>>[]) =>
    new Set(items.map((item) => item[name])).size === items.length;

export const timestamp = z.iso.datetime({ offset: true });

/** A day less at either end: with its offset a time may fall into another year, and years have four digits. */
export const givenTime = timestamp.refine(
  (value) => value >= "0001-01-02" && value < "9999-12-31",
  "must lie between the years 1 and 9999",
);

export const props = z
  .record(z.string(), z.unknown())
  .refine((value) => isCleanJson(value, limits.propsDepth), {
    error: `must be plain JSON without NUL, at most ${limits.propsDepth} levels deep`,
    abort: true, // What is nested too deep cannot be measured either.
  })
  .refine(
    (value) => new TextEncoder().encode(JSON.stringify(value)).length <= limits.propsBytes,
    `must be at most ${limits.propsBytes} bytes of JSON`,
  );

function isCleanJson(value: unknown, depthLeft: number): boolean {
  if (typeof value === "string") return !hasNul(value) && value.isWellFormed();
  if (value === null || typeof value !== "object") return typeof value !== "number" || Number.isFinite(value);
  if (depthLeft === 0) return false;
  return Object.entries(value).every(([key, inner]) => isCleanJson(key, 1) && isCleanJson(inner, depthLeft - 1));
}

/** Texts that others wrote, as they were handed over. */
export const foreignTexts = z.array(z.object({ title: z.string(), text: z.string() }));

const { texts: textsMax, title: titleMax, together } = foreignTextLimits;

/** Left out: none. */
export const givenForeignTexts = z
  .array(z.strictObject({ title: text(titleMax).default(""), text: filledText(together) }))
  .max(textsMax)
  .refine((texts) => sizeOfTexts(texts) <= together, `must have at most ${together} characters together`)
  .default([]);
