// Where a page ends, as an opaque word in the URL: the sort value and the id of its last row.

import { z } from "zod";
import type { Page } from "../domain/entity/entity.ts";
import { AppError } from "../lib/app-error.ts";

const instant = z.iso.datetime();
const shapes = {
  time: z.tuple([instant, z.uuid()]),
  text: z.tuple([z.string().max(5_000), z.uuid()]),
  number: z.tuple([z.number().int().min(0)]),
};

function encodeCursor(parts: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(parts)).toString("base64url");
}

export function decodeCursor<Shape extends keyof typeof shapes>(
  shape: Shape,
  cursor: string | undefined,
): z.infer<(typeof shapes)[Shape]> | null {
  if (cursor === undefined) return null;
  const parsed = shapes[shape].safeParse(parseJson(Buffer.from(cursor, "base64url").toString("utf8")));
  if (!parsed.success)
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

/** `rows` holds one more than the page, where there is more. */
export function toPage<Row, Item>(
  rows: readonly Row[],
  limit: number,
  toItem: (row: Row) => Item,
  cursorOf: (row: Row) => readonly unknown[],
): Page<Item> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(toItem),
    nextCursor: rows.length > limit && last !== undefined ? encodeCursor(cursorOf(last)) : null,
  };
}
