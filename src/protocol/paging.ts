// Lists come in pages: a bounded number of items and a cursor to the next ones, or null at the end.

import { z } from "zod";
import { limits } from "../domain/entity/limits.ts";

/** A whole number in a path or a query. */
export const numberIn = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  z.coerce.number<number | string>().int().min(min).max(max);

export const pageQuery = {
  limit: numberIn(1, limits.pageMax).default(limits.pageDefault),
  cursor: z.string().max(800).optional(),
};

export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), next_cursor: z.string().nullable() });

/** Where a stream begins: after this event; left out: with what happens from now on. */
export const sinceQuery = z.strictObject({ since_seq: numberIn(0).optional() });

/** A yes or no in a query; left out is no. */
export const flag = z
  .enum(["true", "false"])
  .default("false")
  .transform((value) => value === "true");
