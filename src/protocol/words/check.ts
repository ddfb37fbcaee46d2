// A check of a run as its user reads it: what it looks for, who asked for it, what was seen. What a check looks for is worded where
// the checks are (src/domain/run/checks/describe-check.ts) and comes with the run. Pure.

import type { Run } from "../api.ts";

export type RunCheck = Run["completion_criteria"][number];

const givenByWords: Readonly<Record<RunCheck["given_by"], string>> = {
  user: "From you",
  planner: "From the planner",
  platform: "Built-in",
};

/** `From you, for “Packing list”`. */
export function checkOrigin(
  { given_by: by, deliverable_id: id }: Pick<RunCheck, "given_by" | "deliverable_id">,
  deliverables: Run["deliverables"],
): string {
  const deliverable = deliverables.find((each) => each.id === id);
  return deliverable === undefined ? givenByWords[by] : `${givenByWords[by]}, for “${deliverable.title}”`;
}

/** A check is worded for models, too, and tells them of the user. */
export const addressUser = (words: string): string =>
  words.trim().replaceAll("what the user asked for", "what you asked for");

/** For `words` of a check and for what was seen. */
export function checkSentence(words: string): string {
  const said = addressUser(words);
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}`;
}
