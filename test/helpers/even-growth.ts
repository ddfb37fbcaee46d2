// Whether work grows evenly with its input: eight times the input may take eight times as long, not sixty-four times. Both are
// measured in the same moment, in time of the processor, and the best of many tries counts, so a busy machine changes nothing.

import { expect } from "vitest";

const triesMax = 30;
const share = 8;
/** Between even (8) and square (64) growth. */
const ratioMax = 32;
/** Below this, noise is larger than the difference. */
const noiseMs = 50;

export function expectEvenGrowth(size: number, work: (size: number) => void): void {
  let [whole, part] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let tries = 0; tries < triesMax; tries++) {
    whole = Math.min(
      whole,
      measure(() => work(size)),
    );
    if (whole < noiseMs) return;
    part = Math.min(
      part,
      measure(() => work(Math.ceil(size / share))),
    );
    if (whole / part < ratioMax) return;
  }
  expect(whole / part, `${whole.toFixed(1)} ms against ${part.toFixed(1)} ms for an eighth of it`).toBeLessThan(
    ratioMax,
  );
}

/** Of the processor alone: on a busy machine, work that is longer than its turn would wait for the others as well. */
function measure(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
