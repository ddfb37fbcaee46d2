// What an entry came to, as people say it. Answers that are meant for the platform are put into words. Pure.

import type { RunEntry } from "../../../../../src/protocol/api.ts";
import { entrySummary } from "../../../../../src/protocol/words/entry.ts";

type Told = Pick<RunEntry, "kind" | "role" | "summary" | "result" | "calls">;

export function entryWords(entry: Told): string {
  if (entry.role === "judge") return verdictWords(entry);
  if (entry.role === "summary" && entry.kind === "model" && entry.result !== null) return "Wrote the summary";
  // What it asked for is told by the entries below it.
  return entry.kind === "model" && (entry.calls ?? 0) > 0 && entry.summary.startsWith("Asked for ")
    ? "Decided what to do next"
    : entrySummary(entry.summary);
}

/** Of what is missing, as much as is read in a line. */
const missingMax = 3;

function verdictWords({ summary, result }: Told): string {
  const verdict = readVerdict(result);
  if (verdict === null) return summary.trimStart().startsWith("{") ? "Gave its verdict" : summary;
  if (verdict.isComplete) return "Agreed: the work is complete";
  const missing = verdict.missing.slice(0, missingMax).join("; ");
  return missing === "" ? "Disagreed: the work is not complete" : `Disagreed. Missing: ${missing}`;
}

type Verdict = { readonly isComplete: boolean; readonly missing: readonly string[] };

/** Null where the answer is cut off or something else. */
function readVerdict(text: string | null): Verdict | null {
  try {
    const read: unknown = JSON.parse(text ?? "");
    if (typeof read !== "object" || read === null || !("complete" in read)) return null;
    const missing = "missing" in read && Array.isArray(read.missing) ? read.missing : [];
    return { isComplete: read.complete === true, missing: missing.filter((each) => typeof each === "string") };
  } catch {
    return null;
  }
}
