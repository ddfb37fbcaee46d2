// Which part of a check ring each state takes.

import type { CheckTally } from "../../../src/protocol/words/check-count.ts";

export type RingArc = { readonly state: "passed" | "failed"; readonly dash: string; readonly offset: number };

/** Arcs of a circle whose length is 100. Pending checks have none: the track shows through. */
export function checkRingArcs({ passed, failed, pending }: CheckTally): readonly RingArc[] {
  const total = passed + failed + pending;
  if (total === 0) return [];
  const passedLength = (passed / total) * 100;
  const failedLength = (failed / total) * 100;
  const arcs: readonly RingArc[] = [
    { state: "passed", dash: `${passedLength} ${100 - passedLength}`, offset: 0 },
    { state: "failed", dash: `${failedLength} ${100 - failedLength}`, offset: -passedLength },
  ];
  return arcs.filter(({ state }) => (state === "passed" ? passed : failed) > 0);
}
