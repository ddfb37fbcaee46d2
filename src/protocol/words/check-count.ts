// How many checks of a run passed, in a sentence: the same in lists, on pages and in the terminal. Pure.

import { counted } from "../figures.ts";

export type CheckTally = { readonly passed: number; readonly failed: number; readonly pending: number };

/** `2 of 3 checks passed`. */
export const tellPassed = (passed: number, of: number): string => `${passed} of ${counted(of, "check")} passed`;

/** `2 of 3 checks passed, 1 failed`. */
export function tallyWords({ passed, failed, pending }: CheckTally): string {
  const of = passed + failed + pending;
  if (of === 0) return "No checks";
  return failed > 0 ? `${tellPassed(passed, of)}, ${failed} failed` : tellPassed(passed, of);
}
