// How a check of a run stands: passed, failed or pending. Pure.

import type { Run } from "../../protocol/api.ts";
import { isSettled } from "../../protocol/run-view.ts";
import type { Output } from "../output.ts";

type Check = Run["completion_criteria"][number];
type CheckState = "passed" | "failed" | "pending";

/** A check that does not pass yet is pending while the run works; it has failed once the run ended or said it was done. */
export function checkState(run: Pick<Run, "status" | "warnings">, { proof }: Check): CheckState {
  if (proof === null) return "pending";
  if (proof.is_green) return "passed";
  const wasDue = isSettled(run.status) || run.warnings.some(({ kind }) => kind === "claim_rejected");
  return wasDue ? "failed" : "pending";
}

const styles = { passed: "green", failed: "red", pending: "dim" } as const;
const marks = { passed: "✓", failed: "✗", pending: "○" } as const;

export const checkMark = (output: Output, state: CheckState): string => output.paint(styles[state], marks[state]);

/** `2 of 5 checks passed, 1 failed`; an empty string for a run without checks. */
export function checksWords(run: Pick<Run, "status" | "warnings" | "completion_criteria">): string {
  const states = run.completion_criteria.map((check) => checkState(run, check));
  if (states.length === 0) return "";
  const count = (state: CheckState) => states.filter((each) => each === state).length;
  const failed = count("failed") === 0 ? "" : `, ${count("failed")} failed`;
  return `${count("passed")} of ${states.length} ${states.length === 1 ? "check" : "checks"} passed${failed}`;
}
