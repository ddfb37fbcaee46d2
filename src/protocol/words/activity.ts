// What kind of line of HOMЯ's log it is, in a word: the same on pages and in the terminal. Pure.

import type { HomrActivity } from "../api.ts";

const words: Readonly<Record<HomrActivity["type"], string>> = {
  observation: "Result checked",
  steering: "Correction",
  escalation: "Question",
  resolution: "Decision",
  review: "Review",
  supervision: "Note",
};

/** How an attempt ended, as the log keeps it beside its line. */
const endWords = new Map<unknown, string>([
  ["completed", "Task done"],
  ["failed", "Attempt failed"],
  ["canceled", "Canceled"],
]);

/** A checked result is named by its verdict. What a person did is no correction of HOMЯ's, and the end of an attempt is more than a note. */
export function activityLabel({ type, cause, details }: Pick<HomrActivity, "type" | "cause" | "details">): string {
  if (cause.kind === "user") return "You";
  if (details.action === "suggest_design_update") return "Suggested change";
  if (type === "observation" && typeof details.on_track === "boolean")
    return details.on_track ? "On course" : "Off course";
  return (type === "supervision" ? endWords.get(details.result) : undefined) ?? words[type] ?? type;
}
