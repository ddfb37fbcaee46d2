// How the checks of a run stand, for a terminal. Pure.

import type { Run } from "../../protocol/api.ts";
import { type CheckState, isCheckDue, stateOfCheck } from "../../protocol/check-state.ts";
import { addressUser, checkOrigin, checkSentence, type RunCheck } from "../../protocol/words/check.ts";
import { tallyWords } from "../../protocol/words/check-count.ts";
import type { Output } from "../output.ts";
import { oneLine } from "../plain-text.ts";

type Standing = Pick<Run, "status" | "stop_reason" | "warnings">;

const stateIn = (run: Standing, check: RunCheck): CheckState =>
  stateOfCheck(check, isCheckDue(run.status, run.stop_reason?.type ?? null, run.warnings));

const styles = { passed: "green", failed: "red", pending: "dim" } as const;
const marks = { passed: "✓", failed: "✗", pending: "○" } as const;

/** What is looked for, what was seen and who asked for it. Evidence of a check that is pending is only in the way. */
export function checkLine(output: Output, run: Standing & Pick<Run, "deliverables">, check: RunCheck): string {
  const state = stateIn(run, check);
  const proof = state === "pending" ? "" : (check.proof?.seen ?? "");
  const seen = proof === "" ? "" : `: ${addressUser(proof)}`;
  const origin = output.paint("dim", `· ${oneLine(checkOrigin(check, run.deliverables))}`);
  return `${output.paint(styles[state], marks[state])} ${oneLine(`${checkSentence(check.words)}${seen}`)} ${origin}`;
}

/** `2 of 5 checks passed, 1 failed`; an empty string for a run without checks. */
export function checksWords(run: Standing & Pick<Run, "completion_criteria">): string {
  const states = run.completion_criteria.map((check) => stateIn(run, check));
  const count = (state: CheckState) => states.filter((each) => each === state).length;
  const tally = { passed: count("passed"), failed: count("failed"), pending: count("pending") };
  return states.length === 0 ? "" : tallyWords(tally);
}
