// The pieces that tools' arguments are made of. PostgreSQL cannot hold NUL or half a surrogate pair; models send them now and
// then and cannot see them, so they are taken out of text. Nothing else of a text is touched.

import { z } from "zod";
import { endOfDay } from "../domain/end-of-day.ts";
import { type EntityKind, kindSpecs } from "../domain/entity/kinds.ts";
import { limits } from "../domain/entity/limits.ts";
import { bounds } from "./bounds.ts";

const clean = (text: string) => text.toWellFormed().replaceAll("\u0000", "");

/** Longer is no title, and an index row has room for 2,700 bytes. */
const titleMax = 400;

export const id = z.uuid().toLowerCase();
export const text = (max: number) => z.string().max(max).overwrite(clean);
export const title = text(titleMax)
  .trim()
  .min(1)
  .describe(`One line that says what it is, at most ${titleMax} characters`);
export const description = text(limits.description).describe(
  "A sentence or two, with who does it if that is known; shown in lists",
);
export const content = text(limits.content).describe("The body, as Markdown; kept exactly as given");

/** What the platform writes and reads itself is not for others to claim. */
const reservedType = "document.homework";
export const typeKey = z
  .string()
  .max(limits.key)
  .regex(/^[a-z0-9_]+(\.[a-z0-9_]+)*$/, "must be lower-case words joined by dots")
  .refine((key) => !`${key}.`.startsWith(`${reservedType}.`), `must not begin with ${reservedType}`);

export const stateOf = (kind: EntityKind) => z.enum(kindSpecs[kind].states as readonly [string, ...string[]]);

export const priority = z.int().min(1).max(5).nullable().describe("1 is most urgent, 5 least; null for none");

/** A day less at either end: with its offset a time may fall into another year, and years have four digits. */
export const dueAt = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })])
  .refine((value) => value >= "0001-01-02" && value < "9999-12-31", "must lie between the years 1 and 9999")
  .nullable()
  .describe("A day (2031-05-17; it ends at 23:59) or a time with its offset (2031-05-17T09:00:00Z); null for none");

/** A day that is given is over when it ends for the user. */
export const dueTime = (given: string, timeZone: string): string =>
  given.includes("T") ? given : endOfDay(given, timeZone);

/** More tags find nothing better. */
const tagsMax = 10;
export const tags = z.array(text(60).trim().min(1)).max(tagsMax).describe("Words to find it by");

export const source = z
  .enum(["own", "web"])
  .default("own")
  .describe("web: text in this call was taken from web pages or other people's pages; own: it is your own wording");

export const projectId = id.describe("Id of the project; may be left out where there is only one");
export const limit = z.int().min(1).max(bounds.list).default(bounds.listDefault).describe("How many to show");
export const cursor = z.string().max(2_000).describe("Where to go on, as the last answer of this list said");
export const workingNotes = z
  .boolean()
  .default(false)
  .describe("Also the working notes of runs: scratchpads, notes, branch pages, summaries, plan pages");
export const offset = z.int().min(0).max(limits.content).default(0).describe("First character to show");
export const pageSize = z.int().min(2).max(bounds.page).default(bounds.pageDefault).describe("Characters to show");
export const expectedVersion = z
  .int()
  .min(1)
  .describe("The version you have read; the change is refused if someone has changed it since");

export const props = z
  .record(z.string(), z.unknown())
  .refine((value) => isCleanJson(value, limits.propsDepth), {
    error: `must be plain JSON without NUL, at most ${limits.propsDepth} levels deep`,
    abort: true, // What is nested too deep cannot be measured either.
  })
  .refine(fitsProps, `must be at most ${limits.propsBytes} bytes of JSON`)
  .refine((value) => !Object.hasOwn(value, "homework"), "must not contain homework: the platform keeps that itself")
  .describe("Further properties; put together with those that are there, null takes one away");

export function fitsProps(value: Readonly<Record<string, unknown>>): boolean {
  return Buffer.byteLength(JSON.stringify(value)) <= limits.propsBytes && isCleanJson(value, limits.propsDepth);
}

function isCleanJson(value: unknown, depthLeft: number): boolean {
  if (typeof value === "string") return !value.includes("\u0000") && value.isWellFormed();
  if (value === null || typeof value !== "object") return typeof value !== "number" || Number.isFinite(value);
  if (depthLeft === 0) return false;
  return Object.entries(value).every(([key, inner]) => isCleanJson(key, 1) && isCleanJson(inner, depthLeft - 1));
}
