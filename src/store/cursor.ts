// Where a page ends, as an opaque word in the URL: the list it is of, the sort value and the id of its last row.

import { sql } from "kysely";
import { z } from "zod";
import type { Page } from "../domain/entity/entity.ts";
import { AppError } from "../lib/app-error.ts";

const instant = z.iso.datetime();
const shapes = {
  time: z.tuple([instant, z.uuid()]),
  /** Null stands for a title too long for a URL; the row is looked up. */
  title: z.tuple([z.string().nullable(), z.uuid()]),
  /** A rank, a time within it, and the id. */
  ranked: z.tuple([z.number().int().min(0).max(100), instant, z.uuid()]),
  number: z.tuple([z.number().int().min(0)]),
};

/** What every list is asked with. */
export type PageQuery = { readonly limit: number; readonly cursor?: string | undefined };

/** Of a title, as much as an address has room for. */
const titleMax = 60;
export const titleInCursor = (title: string): string | null => (title.length > titleMax ? null : title);

function encodeCursor(list: string, parts: readonly unknown[]): string {
  return Buffer.from(JSON.stringify([list, ...parts])).toString("base64url");
}

/** `list` names the list and its order: the cursor of another one is refused. */
export function decodeCursor<Shape extends keyof typeof shapes>(
  list: string,
  shape: Shape,
  cursor: string | undefined,
): z.infer<(typeof shapes)[Shape]> | null {
  if (cursor === undefined) return null;
  const found = parseJson(Buffer.from(cursor, "base64url").toString("utf8"));
  const [of, ...parts] = Array.isArray(found) ? found : [];
  const parsed = shapes[shape].safeParse(parts);
  if (of !== list || !parsed.success)
    throw new AppError("invalid_cursor", "The cursor is not one of this list; start from its beginning");
  return parsed.data as z.infer<(typeof shapes)[Shape]>;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** For a list by time and id: what comes after the cursor, the newest first unless `order` says otherwise. */
export function isPast(place: readonly [string, string] | null, time: string, id: string, order: "<" | ">" = "<") {
  if (place === null) return sql<boolean>`true`;
  return sql<boolean>`(${sql.ref(time)}, ${sql.ref(id)}) ${sql.raw(order)} (${place[0]}::timestamptz, ${place[1]}::uuid)`;
}

/** `items` holds one more than the page, where there is more. */
export function toPage<Item>(
  list: string,
  items: readonly Item[],
  limit: number,
  cursorOf: (item: Item) => readonly unknown[],
): Page<Item> {
  const shown = items.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown,
    nextCursor: items.length > limit && last !== undefined ? encodeCursor(list, cursorOf(last)) : null,
  };
}
