// Finds the status block in what a model said. It counts only as a block: a line with nothing but its name, or a JSON
// object that has its name as a key. A block inside a sentence, in what a tool printed, cut off, or given twice with
// different answers does not count.

import { z } from "zod";
import { claimsDone, type StatusClaim } from "../gate/claim.ts";
import { findBlocks } from "./block-finder.ts";
import { saidByModel } from "./said.ts";

const blockName = "BUILDOS_HOMEWORK_STATUS";
/** A block stands at the end; a model that talks for a megabyte, or in blocks, is not read to its beginning. */
const readMax = 200_000;
const blocksMax = 5;

const yesOrNo = z.union([
  z.boolean(),
  z
    .string()
    .toLowerCase()
    .pipe(z.enum(["true", "false"]))
    .transform((word) => word === "true"),
]);
const words = z.union([z.string(), z.number()]).transform(String);
/** How models write that there is nothing. */
const nothing = /^(?:none|nothing|n\/a|-|\[\])?\.?$/i;
const list = z
  .union([z.array(words), words.transform((one) => [one]), z.null().transform(() => [])])
  .transform((items) => items.map((item) => item.trim()).filter((item) => !nothing.test(item)));

/** Unknown fields are left out; a field of the wrong kind makes the whole block unusable. */
const blockShape = z.object({
  exit_signal: yesOrNo,
  needs_user_input: yesOrNo.default(false),
  blocking_questions: list.default([]),
  progress_summary: words.nullable().default(""),
  remaining_work: list.default([]),
  completion_evidence: list.default([]),
  next_action_hint: z.enum(["replan", "execute", "ask_user", "stop"]).nullable().default(null).catch(null),
  confidence: z.enum(["low", "medium", "high"]).nullable().default(null).catch(null),
});

export type ParsedStatus =
  | { readonly kind: "found"; readonly claim: StatusClaim }
  | { readonly kind: "missing" }
  /** Something was there that could not be believed; said back to the planner. */
  | { readonly kind: "unusable"; readonly why: string };

export function parseStatusBlock(output: string): ParsedStatus {
  const all = findBlocks(saidByModel(output).slice(-readMax), blockName, Object.keys(blockShape.shape));
  // The contract's own example, quoted before the answer, is no answer.
  const answers = all.filter((block) => block?.exit_signal !== "true|false");
  const found = (answers.length > 0 ? answers : all).slice(-blocksMax);
  if (found.length === 0) return { kind: "missing" };
  if (found.includes(null)) return { kind: "unusable", why: "the status block is cut off or cannot be read" };
  const parsed = found.map((block) => blockShape.safeParse(block));
  const [issue] = parsed.flatMap((each) => each.error?.issues ?? []);
  if (issue) return { kind: "unusable", why: `${issue.path.join(".")}: ${issue.message}` };
  const claims = parsed.flatMap((each) => (each.success ? [toClaim(each.data)] : []));
  const last = claims.at(-1);
  if (!last) return { kind: "missing" };
  if (claims.some((claim) => claim.exitSignal !== last.exitSignal || claimsDone(claim) !== claimsDone(last)))
    return { kind: "unusable", why: "several status blocks contradict each other" };
  return { kind: "found", claim: last };
}

export function toClaim(block: z.output<typeof blockShape>): StatusClaim {
  return {
    exitSignal: block.exit_signal,
    needsUserInput: block.needs_user_input,
    blockingQuestions: block.blocking_questions,
    progressSummary: block.progress_summary ?? "",
    remainingWork: block.remaining_work,
    completionEvidence: block.completion_evidence,
    nextActionHint: block.next_action_hint,
    confidence: block.confidence,
  };
}
