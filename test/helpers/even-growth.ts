// Whether work grows evenly with its input: eight times the input may take eight times as long, not sixty-four times. Both are
// measured in the same moment and the best of several tries counts, so a busy machine changes nothing.

import { expect } from "vitest";

const tries = 3;
const share = 8;
/** Between even (8) and square (64) growth. */
const ratioMax = 32;
/** Below this, noise is larger than the difference. */
const noiseMs = 50;

export function expectEvenGrowth(size: number, work: (size: number) => void): void {
  const whole = bestOf(() => work(size));
  if (whole < noiseMs) return;
  const part = bestOf(() => work(Math.ceil(size / share)));
  expect(whole / part, `${Math.round(whole)} ms against ${Math.round(part)} ms for an eighth of it`).toBeLessThan(
    ratioMax,
  );
}

function bestOf(work: () => void): number {
  const times = Array.from({ length: tries }, () => {
    const startedAt = performance.now();
    work();
    return performance.now() - startedAt;
  });
  return Math.min(...times);
}
