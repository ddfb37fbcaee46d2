// What was learnt in one outcome and is offered to later ones of the same owner.

import { z } from "zod";
import { pageOf, pageQuery } from "../paging.ts";
import { act, read, routesTagged } from "../route.ts";
import { filledText, id, text } from "../text.ts";
import { memory, memoryImportances, memoryTypes } from "./homr-shapes.ts";

const params = z.object({ memoryId: id });
const base = "/api/memories";
const route = routesTagged("homr");

export const memoryRoutes = {
  list: route(`GET ${base}`, {
    policy: read,
    summary: "What HOMЯ learnt in one's outcomes, last changed first",
    query: z.strictObject({
      ...pageQuery,
      type: z.enum(memoryTypes).optional(),
      /** Words that it holds. */
      q: filledText(400).optional(),
    }),
    result: pageOf(memory),
  }),
  update: route(`PATCH ${base}/{memoryId}`, {
    policy: act,
    summary: "Correct a memory; the outcomes it was offered to say what it says now, too",
    params,
    body: z
      .strictObject({
        content: text(2_000)
          .refine((value) => value.trim().length >= 20, "must have at least 20 characters")
          .optional(),
        type: z.enum(memoryTypes).optional(),
        importance: z.enum(memoryImportances).optional(),
      })
      .refine((given) => Object.values(given).some((value) => value !== undefined), "say what to change"),
    result: memory,
  }),
  remove: route(`DELETE ${base}/{memoryId}`, {
    policy: act,
    summary: "Forget a memory; it is taken out of the outcomes it was offered to",
    params,
    result: z.object({ id, deleted: z.literal(true) }),
  }),
} as const;
