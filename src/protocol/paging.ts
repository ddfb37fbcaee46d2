// Lists come in pages: a bounded number of items and a cursor to the next ones, or null at the end.

import { z } from "zod";
import { limits } from "../domain/entity/limits.ts";

export const pageQuery = {
  limit: z.coerce.number<number | string>().int().min(1).max(limits.pageMax).default(limits.pageDefault),
  cursor: z.string().max(800).optional(),
};

export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), next_cursor: z.string().nullable() });

/** A yes or no in a query; left out is no. */
export const flag = z
  .enum(["true", "false"])
  .default("false")
  .transform((value) => value === "true");
