import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchSilence } from "./watch-silence.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Content comes at these seconds; what was told at which, and when it was given up. It is watched for ten minutes. */
function play(...heardAt: readonly number[]): string {
  const told: string[] = [];
  let atMs = 0;
  const say = (what: string) => told.push(`${atMs / 1_000} ${what}`);
  const limits = { tellMs: 100_000, answerMs: 270_000 };
  const watch = watchSilence(limits, (silentMs) => say(silentMs === null ? "heard" : `silent for ${silentMs / 1_000}`));
  watch.signal.addEventListener("abort", () => say("given up"));
  for (; atMs < 600_000 && !watch.signal.aborted; ) {
    atMs += 1_000;
    vi.advanceTimersByTime(1_000);
    if (heardAt.includes(atMs / 1_000)) watch.hear();
  }
  watch.stop();
  vi.advanceTimersByTime(600_000);
  return told.join(", ");
}

const every = (seconds: number) => Array.from({ length: 600 / seconds }, (_, n) => (n + 1) * seconds);

test.for([
  ["no word at all", [], "100 silent for 100, 270 given up"],
  ["a word every 90 seconds", every(90), "90 heard"],
  ["a first word after three minutes", [180, ...every(60).filter((at) => at > 180)], "100 silent for 100, 180 heard"],
  ["one word and no other", [10], "10 heard, 110 silent for 100, 280 given up"],
  [
    "a pause in the middle",
    [10, 200, ...every(20).filter((at) => at > 200)],
    "10 heard, 110 silent for 100, 200 heard",
  ],
] as const)("%s", ([, heardAt, expected]) => {
  expect(play(...heardAt)).toBe(expected);
});
