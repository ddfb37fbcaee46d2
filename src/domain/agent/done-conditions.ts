// What has to hold before DONE is accepted, one sentence each, for the agent that works on it.

import type { Check } from "../run/checks/check.ts";
import { describeCheck } from "../run/checks/describe-check.ts";
import { anyFile } from "./any-file.ts";
import { isDoneCheck } from "./done-check.ts";

/** DONE itself and the plan with its one step are the claim, so they are left out. */
export const tellConditions = (checks: readonly Check[]): readonly string[] => [
  ...new Set(checks.filter((check) => !isDoneCheck(check) && check.target.kind !== "plan_complete").map(tellCondition)),
];

function tellCondition(check: Check): string {
  const { target, givenBy } = check;
  if (target.kind === "file_exists" && target.path === anyFile)
    return "At least one file in the work folder was made or changed.";
  if (target.kind === "judge")
    return givenBy === "platform"
      ? "Another agent reviews the whole diff and finds the task complete and correct."
      : `Another agent reviews the whole diff and finds that this holds: ${target.rubric}`;
  const words = describeCheck({ ...check, deliverableId: null });
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
