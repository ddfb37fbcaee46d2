// read_result: opens what a tool answered earlier in the same run or conversation, a page at a time.

import { z } from "zod";
import type { Tx } from "../db/database.ts";
import { sliceText } from "../lib/slice-text.ts";
import { type EntryResult, findEntryResult } from "../store/journal/entry-result-store.ts";
import { offset, pageSize } from "./arg-shapes.ts";
import { sliceHeading } from "./bounds.ts";
import { defineRead } from "./define-tool.ts";
import { notFound } from "./scope.ts";
import type { Tool } from "./tool.ts";

/** The iteration, and the key of the entry in it. */
const reference = /^i(\d{1,6})\/(\S{1,200})$/;

/** Null where there is no such result. */
type FindResult = (tx: Tx, runId: string | null, place: number, key: string) => Promise<EntryResult | null>;

/** The same tool over the results of a run, and over those of a conversation. */
export const readResultFrom = (find: FindResult): Tool =>
  defineRead({
    name: "read_result",
    description: "Opens the whole result of an earlier tool call, of which only the beginning was shown.",
    args: z.strictObject({
      ref: z
        .string()
        .trim()
        .regex(reference, "must look like i3/exec:1/tool:2, as it stands beside a result")
        .describe("The reference that stands beside a result, such as i3/exec:1/tool:2"),
      offset,
      limit: pageSize,
    }),
    stage: 1,
    read: async (tx, { runId }, asked) => {
      const [, place = "", key = ""] = reference.exec(asked.ref) ?? [];
      const found = await find(tx, runId, Number(place), key);
      if (found === null) return notFound("result", asked.ref);
      const slice = sliceText(found.text, asked.offset, asked.limit);
      const how = found.ok ? "answered" : "refused";
      return {
        ok: true,
        text: [sliceHeading(`${found.tool} ${how}`, found.text, slice), slice.shown].join("\n"),
        artifacts: [],
        summary: `Opened the result ${asked.ref}`,
        isUntrusted: found.isUntrusted,
      };
    },
  });

export const readResult = readResultFrom(async (tx, runId, iteration, key) =>
  runId === null ? null : findEntryResult(tx, { runId, iteration, key }),
);
