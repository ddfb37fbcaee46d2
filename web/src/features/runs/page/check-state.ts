// What a run's page says of its checks: which state each is in, and how many passed. Pure.

import type { Run } from "../../../../../src/protocol/api.ts";
import { isCheckDue, isUnasked } from "../../../../../src/protocol/check-state.ts";
import type { RunView } from "../../../../../src/protocol/run-view.ts";
import type { RunCheck } from "../../../../../src/protocol/words/check.ts";

/** By the state that events have brought, which may be newer than the run's. */
export const isDue = ({ state }: Pick<RunView, "state">, { warnings }: Pick<Run, "warnings">): boolean =>
  isCheckDue(state.status, state.status === "stopped" ? state.reason : null, warnings);

/** Whether the platform has run any of them. */
export const anyLookedAt = (checks: readonly Pick<RunCheck, "proof">[]): boolean =>
  checks.some(({ proof }) => proof !== null);

/** `2 of 3 passed, 1 not asked`. */
export function passedWords(checks: readonly Pick<RunCheck, "proof">[], green: number, all: number): string {
  const unasked = checks.filter(isUnasked).length;
  const passed = `${green} of ${all} passed`;
  return unasked === 0 ? passed : `${passed}, ${unasked} not asked`;
}

/** What the judge quoted from the work; null where no judge did. */
export function judgeQuote(seen: string): string | null {
  return /^the judge says yes and quotes "(?<quote>.*)"$/s.exec(seen)?.groups?.quote ?? null;
}
