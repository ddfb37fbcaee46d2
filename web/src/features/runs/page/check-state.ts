// The three states of a check as people read them. Pure.

import type { Run } from "../../../../../src/protocol/api.ts";
import { wasNotAsked } from "../../../../../src/protocol/kinds.ts";
import type { RunStatus } from "../../../ui/run-words.ts";
import type { RunCheck } from "./check-words.ts";

export type CheckState = "pending" | "passed" | "failed";

const ended = new Set<RunStatus>(["completed", "failed", "stopped"]);

/** A check that is not green yet is pending, until the run has ended or said that it is done. In a canceled run none was due. */
export function isDue(status: RunStatus, warnings: Run["warnings"]): boolean {
  return ended.has(status) || warnings.some(({ kind }) => kind === "claim_rejected");
}

/** Whether the platform has run any of them. */
export const anyLookedAt = (checks: readonly Pick<RunCheck, "proof">[]): boolean =>
  checks.some(({ proof }) => proof !== null);

/** A judge that was not asked has not said no. */
const isUnasked = ({ proof }: Pick<RunCheck, "proof">): boolean => proof !== null && wasNotAsked(proof);

/** `2 of 3 passed, 1 not asked`. */
export function passedWords(checks: readonly Pick<RunCheck, "proof">[], green: number, all: number): string {
  const unasked = checks.filter(isUnasked).length;
  const passed = `${green} of ${all} passed`;
  return unasked === 0 ? passed : `${passed}, ${unasked} not asked`;
}

export function checkState({ proof }: Pick<RunCheck, "proof">, due: boolean): CheckState {
  if (proof === null || wasNotAsked(proof)) return "pending";
  if (proof.is_green) return "passed";
  return due ? "failed" : "pending";
}

/** What the judge quoted from the work; null where no judge did. */
export function judgeQuote(seen: string): string | null {
  return /^the judge says yes and quotes "(?<quote>.*)"$/s.exec(seen)?.groups?.quote ?? null;
}

/** What was seen, as a sentence to a person. */
export function seenWords(seen: string): string {
  const words = seen.trim().replaceAll("what the user asked for", "what you asked for");
  return words === "" ? "" : `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
