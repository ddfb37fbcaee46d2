// How the checks of a run stand, for a terminal. Pure.

import type { Run } from "../../protocol/api.ts";
import { type CheckState, isCheckDue, stateOfCheck } from "../../protocol/check-state.ts";
import type { Output } from "../output.ts";

type Check = Run["completion_criteria"][number];
type Standing = Pick<Run, "status" | "stop_reason" | "warnings">;
/** One check of a run, as it stands. */
export const stateIn = (run: Standing, check: Check): CheckState =>
  stateOfCheck(check, isCheckDue(run.status, run.stop_reason?.type ?? null, run.warnings));

const styles = { passed: "green", failed: "red", pending: "dim" } as const;
const marks = { passed: "✓", failed: "✗", pending: "○" } as const;

export const checkMark = (output: Output, state: CheckState): string => output.paint(styles[state], marks[state]);

/** `2 of 5 checks passed, 1 failed`; an empty string for a run without checks. */
export function checksWords(run: Standing & Pick<Run, "completion_criteria">): string {
  const states = run.completion_criteria.map((check) => stateIn(run, check));
  if (states.length === 0) return "";
  const count = (state: CheckState) => states.filter((each) => each === state).length;
  const failed = count("failed") === 0 ? "" : `, ${count("failed")} failed`;
  return `${count("passed")} of ${states.length} ${states.length === 1 ? "check" : "checks"} passed${failed}`;
}
