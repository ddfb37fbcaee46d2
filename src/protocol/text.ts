// What a piece of text, an id, a key or a bag of properties may be on the wire.
// PostgreSQL cannot hold NUL or half a surrogate pair, so neither may get past here.

import { z } from "zod";
import { limits } from "../domain/entity/limits.ts";

const hasNul = (value: string) => value.includes("\u0000");

export const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !hasNul(value), "must not contain NUL characters")
    .refine((value) => value.isWellFormed(), "must not contain half a surrogate pair");

/** One line that says something: not empty, not only blanks. */
export const title = text(limits.title).refine((value) => value.trim() !== "", "must not be empty");

export const id = z.uuid();

/** Dotted lower-case names such as `document.homework.note`. */
export const typeKey = z
  .string()
  .max(limits.key)
  .regex(/^[a-z0-9_]+(\.[a-z0-9_]+)*$/, "must be lower-case words joined by dots");

export const timestamp = z.iso.datetime({ offset: true });

export const props = z
  .record(z.string(), z.unknown())
  .refine((value) => isCleanJson(value, limits.propsDepth), "must be plain JSON, not nested too deep, without NUL")
  .refine(
    (value) => JSON.stringify(value).length <= limits.propsBytes,
    `must be at most ${limits.propsBytes} bytes of JSON`,
  );

function isCleanJson(value: unknown, depthLeft: number): boolean {
  if (typeof value === "string") return !hasNul(value) && value.isWellFormed();
  if (value === null || typeof value !== "object") return typeof value !== "number" || Number.isFinite(value);
  if (depthLeft === 0) return false;
  return Object.entries(value).every(([key, inner]) => isCleanJson(key, 1) && isCleanJson(inner, depthLeft - 1));
}
