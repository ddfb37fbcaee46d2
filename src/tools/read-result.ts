// read_result: opens what a tool answered in an earlier step of the same run, a page at a time.

import { z } from "zod";
import { findStepResult } from "../store/step-result-store.ts";
import { offset, pageSize } from "./arg-shapes.ts";
import { sliceHeading, sliceText } from "./bounds.ts";
import { defineRead } from "./define-tool.ts";
import { notFound } from "./scope.ts";
import { refuse } from "./tool.ts";

/** The iteration, and the key of the step in it. */
const reference = /^i(\d{1,6})\/(\S{1,200})$/;

const args = z.strictObject({
  ref: z
    .string()
    .trim()
    .regex(reference, "must look like i3/exec:1/tool:2, as it stands beside a result")
    .describe("The reference that stands beside a result, such as i3/exec:1/tool:2"),
  offset,
  limit: pageSize,
});

export const readResult = defineRead<z.output<typeof args>>({
  name: "read_result",
  description: "Opens the whole result of an earlier tool call of this run, of which only the beginning was shown.",
  args,
  tags: ["private"],
  stage: 1,
  read: async (tx, { runId }, asked) => {
    if (runId === null) return refuse("unavailable", "Results are kept for runs only. Call the tool again instead.");
    const [, iteration = "", key = ""] = reference.exec(asked.ref) ?? [];
    const found = await findStepResult(tx, { runId, iteration: Number(iteration), key });
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
