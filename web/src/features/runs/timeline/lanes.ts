// The steps of an iteration by who did them, and when: lanes side by side, as bars on one line of time. Pure.

import type { RunStep } from "../../../../../src/protocol/api.ts";
import { executorNumber, laneWords } from "../../../../../src/protocol/lane-words.ts";

export type Lane = {
  readonly id: string;
  readonly title: string;
  readonly steps: readonly RunStep[];
};

/** From 0 to 1 of the time that all lanes share. */
export type Bar = { readonly step: RunStep; readonly from: number; readonly to: number };
export type LaneBars = { readonly lane: Lane; readonly bars: readonly Bar[] };
export type Spans = { readonly totalMs: number; readonly lanes: readonly LaneBars[] };

const platform = "platform";

/** The planner first, then executors by number, the judge, and the platform last and only if asked for. */
export function lanesOf(steps: readonly RunStep[], withPlatform: boolean): readonly Lane[] {
  const byLane = new Map<string, RunStep[]>();
  for (const step of steps) {
    if (step.lane === platform && !withPlatform) continue;
    const known = byLane.get(step.lane);
    if (known) known.push(step);
    else byLane.set(step.lane, [step]);
  }
  const lanes = [...byLane].map(([id, own]) => ({ id, title: titleOf(id, own), steps: own }));
  return lanes.sort((one, other) => rank(one.id) - rank(other.id) || one.id.localeCompare(other.id, "en"));
}

/** An iteration has far fewer executors than this. */
const afterExecutors = 1e6;

function rank(id: string): number {
  if (id === "planner") return 0;
  if (id === platform) return afterExecutors + 1;
  return executorNumber(id) ?? afterExecutors;
}

function titleOf(id: string, steps: readonly RunStep[]): string {
  const words = laneWords(id);
  const name = words.charAt(0).toUpperCase() + words.slice(1);
  const title = steps.find((step) => step.lane_title)?.lane_title;
  return title ? `${name}: ${title}` : name;
}

/** One that is still at work goes on until `nowMs`. */
export function spansOf(lanes: readonly Lane[], nowMs: number): Spans {
  const times = lanes.flatMap(({ steps }) => steps.flatMap((step) => [beganMs(step), endedMs(step, nowMs)]));
  const first = Math.min(...times);
  const totalMs = times.length === 0 ? 0 : Math.max(...times) - first;
  const share = (ms: number) => (totalMs === 0 ? 0 : (ms - first) / totalMs);
  const barOf = (step: RunStep): Bar => ({
    step,
    from: share(beganMs(step)),
    to: share(Math.max(beganMs(step), endedMs(step, nowMs))),
  });
  return { totalMs, lanes: lanes.map((lane) => ({ lane, bars: lane.steps.map(barOf) })) };
}

export const beganMs = (step: RunStep): number => Date.parse(step.began_at);

function endedMs(step: RunStep, nowMs: number): number {
  return step.ended_at === null ? Math.max(nowMs, beganMs(step)) : Date.parse(step.ended_at);
}

/** Null while it is at work. */
export function tookMs(step: RunStep): number | null {
  return step.ended_at === null ? null : Math.max(0, Date.parse(step.ended_at) - beganMs(step));
}

export type StepMark = "failed" | "uncertain" | "running";

/** What about a step must not be overlooked. */
export function marksOf({ state, is_error: isError }: RunStep): readonly StepMark[] {
  if (state === "uncertain") return ["uncertain"];
  if (state === "intended") return ["running"];
  return isError ? ["failed"] : [];
}
