// Finds the status block in what a model said. It counts only as a block: a line with nothing but its name, or a JSON
// object that has its name as a key. A block inside a sentence, cut off, or given twice with different answers is none.

import { parse as parseYaml } from "yaml";
import { z } from "zod";
import type { StatusClaim } from "./claim.ts";

const blockName = "BUILDOS_HOMEWORK_STATUS";
/** A block stands at the end; a model that talks for a megabyte, or in blocks, is not read to its beginning. */
const readMax = 200_000;
const blocksMax = 5;

const yesOrNo = z.union([z.boolean(), z.enum(["true", "false"]).transform((word) => word === "true")]);
const words = z.union([z.string(), z.number()]).transform(String);
const list = z
  .union([z.array(words), words.transform((one) => [one]), z.null().transform(() => [])])
  .transform((items) =>
    items.map((item) => item.trim()).filter((item) => item !== "" && item.toLowerCase() !== "none"),
  );

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
  const found = findBlocks(output.slice(-readMax));
  if (found.length === 0) return { kind: "missing" };
  const parsed = found.map((block) => blockShape.safeParse(block));
  const broken = parsed.find((each) => !each.success);
  if (broken?.error)
    return { kind: "unusable", why: `${broken.error.issues[0]?.path.join(".")}: ${broken.error.issues[0]?.message}` };
  const claims = parsed.flatMap((each) => (each.success ? [toClaim(each.data)] : []));
  const last = claims.at(-1);
  if (!last) return { kind: "missing" };
  if (claims.some((claim) => claim.exitSignal !== last.exitSignal))
    return { kind: "unusable", why: "several status blocks contradict each other" };
  return { kind: "found", claim: last };
}

function toClaim(block: z.infer<typeof blockShape>): StatusClaim {
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

function findBlocks(output: string): readonly unknown[] {
  return [...yamlBlocks(output), ...jsonBlocks(output)];
}

/** A line with nothing but the name and a colon, and the deeper indented lines below it. */
function yamlBlocks(output: string): readonly unknown[] {
  const lines = output.split(/\r?\n/);
  const headings = lines.flatMap((line, at) => {
    const indent = new RegExp(`^(\\s*)${blockName}:\\s*$`).exec(line)?.[1]?.length;
    return indent === undefined ? [] : [{ indent, at }];
  });
  return headings.slice(-blocksMax).map(({ indent, at }) => {
    const below = lines.slice(at + 1);
    const end = below.findIndex((each) => each.trim() !== "" && each.length - each.trimStart().length <= indent);
    return readOrNull(() => parseYaml((end === -1 ? below : below.slice(0, end)).join("\n"), { schema: "core" }));
  });
}

/** An object `{"BUILDOS_HOMEWORK_STATUS": {…}}` that begins a line, fenced or not. */
function jsonBlocks(output: string): readonly unknown[] {
  const starts = [...output.matchAll(new RegExp(`^[ \\t]*\\{\\s*"${blockName}"\\s*:`, "gm"))];
  return starts.slice(-blocksMax).map(({ index }) => {
    const text = balanced(output.slice(index));
    return readOrNull(() => (text === null ? null : (JSON.parse(text) as Record<string, unknown>)[blockName]));
  });
}

/** The text up to the brace that closes the first one; null where it never closes. Braces in strings do not count. */
function balanced(text: string): string | null {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token === "{") depth += 1;
    else if (token === "}") depth -= 1;
    if (depth === 0) return text.slice(0, index + token.length);
  }
  return null;
}

/** What cannot be read is a block all the same, one without a meaning. */
function readOrNull(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return null;
  }
}
