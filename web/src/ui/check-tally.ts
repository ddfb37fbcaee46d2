// What a check ring says of so many checks, and which part of the circle each state takes.

export type CheckTally = { readonly passed: number; readonly failed: number; readonly pending: number };

export type RingArc = { readonly state: "passed" | "failed"; readonly dash: string; readonly offset: number };

export function checkRingSentence({ passed, failed, pending }: CheckTally): string {
  const total = passed + failed + pending;
  if (total === 0) return "No checks";
  const said = `${passed} of ${total} ${total === 1 ? "check" : "checks"} passed`;
  return failed > 0 ? `${said}, ${failed} failed` : said;
}

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
