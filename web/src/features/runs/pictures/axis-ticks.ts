// Round numbers for the axes of a chart. Pure.

/** About this many lines are read at a glance. */
const linesMax = 5;

const seconds = 1_000;
const minutes = 60 * seconds;
const hours = 60 * minutes;
const timeSteps = [15 * seconds, 30 * seconds, ...[1, 2, 5, 10, 15, 30].map((each) => each * minutes)].concat(
  [1, 2, 6, 12, 24, 48, 120, 240].map((each) => each * hours),
);

/** From 0 to the first round number that is not below `max`. */
export function axisTicks(max: number, smallest = 1): readonly number[] {
  return ticksBy(roundStep(max / linesMax, smallest), max);
}

/** As `axisTicks`, in steps of a clock where there are minutes. */
export function timeTicks(maxMs: number): readonly number[] {
  const wanted = maxMs / linesMax;
  const step = wanted <= 10 * seconds ? roundStep(wanted, 1) : timeSteps.find((each) => each >= wanted);
  return ticksBy(step ?? roundStep(wanted, 1), maxMs);
}

/** Whole numbers from 0, none above `last`. */
export function countTicks(last: number): readonly number[] {
  return axisTicks(last).filter((tick) => tick <= last);
}

/** 1, 2 or 5 with zeros. */
function roundStep(wanted: number, smallest: number): number {
  if (wanted <= smallest) return smallest;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const factor = [1, 2, 5, 10].find((each) => each * power >= wanted) ?? 10;
  return factor * power;
}

function ticksBy(step: number, max: number): readonly number[] {
  const count = Math.max(1, Math.ceil(max / step));
  return Array.from({ length: count + 1 }, (_, place) => place * step);
}
