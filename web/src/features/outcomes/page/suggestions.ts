// Changes of the approach that HOMЯ suggests and its owner has not taken over, from the outcome's activity. Pure.

import type { HomrActivity } from "../../../../../src/protocol/api.ts";

export type Suggestion = { readonly text: string; readonly reason: string };

type Line = Pick<HomrActivity, "summary" | "details">;

/** What stands in the approach already was taken over. */
export function openSuggestions(lines: readonly Line[], approach: string): readonly Suggestion[] {
  const found = lines
    .filter(({ details }) => details.action === "suggest_design_update")
    .map((line) => ({ text: suggestionOf(line), reason: asText(line.details.reason) }))
    .filter(({ text }) => text !== "" && !approach.includes(text));
  return [...new Map(found.map((each) => [each.text, each])).values()];
}

/** Lines of older versions have the suggestion in their summary alone. */
const suggestionOf = ({ summary, details }: Line): string =>
  (asText(details.suggestion) || summary.replace(/^Suggested: /, "")).trim();

const asText = (value: unknown): string => (typeof value === "string" ? value : "");

export const withSuggestion = (approach: string, text: string): string =>
  `${approach.trimEnd()}\n\n${text}\n`.trimStart();
