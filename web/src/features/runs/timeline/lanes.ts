// The entries of an iteration by who did them, and when: lanes side by side, as bars on one line of time. Pure.

import type { RunEntry } from "../../../../../src/protocol/api.ts";
import { executorNumber, laneWords } from "../../../../../src/protocol/words/lane.ts";

export type Lane = {
  readonly id: string;
  readonly title: string;
  readonly entries: readonly RunEntry[];
};

/** From 0 to 1 of the time that all lanes share. */
export type Bar = { readonly entry: RunEntry; readonly from: number; readonly to: number };
export type LaneBars = { readonly lane: Lane; readonly bars: readonly Bar[] };
export type Spans = { readonly totalMs: number; readonly lanes: readonly LaneBars[] };

const platform = "platform";

/**
 * The planner first, then executors by number, the judge, and the platform last. Its notes are there only if asked for; what it
 * asked of a model is always, so that the costs of the entries come to the cost of the iteration.
 */
export function lanesOf(entries: readonly RunEntry[], withPlatform: boolean): readonly Lane[] {
  const byLane = new Map<string, RunEntry[]>();
  for (const entry of entries) {
    if (entry.lane === platform && entry.kind !== "model" && !withPlatform) continue;
    const known = byLane.get(entry.lane);
    if (known) known.push(entry);
    else byLane.set(entry.lane, [entry]);
  }
  const lanes = [...byLane].map(([id, own]) => ({ id, title: titleOf(id, own), entries: own }));
  return lanes.sort((one, other) => rank(one.id) - rank(other.id) || one.id.localeCompare(other.id, "en"));
}

/** An iteration has far fewer executors than this. */
const afterExecutors = 1e6;

function rank(id: string): number {
  if (id === "planner") return 0;
  if (id === platform) return afterExecutors + 1;
  return executorNumber(id) ?? afterExecutors;
}

function titleOf(id: string, entries: readonly RunEntry[]): string {
  const words = laneWords(id);
  const name = words.charAt(0).toUpperCase() + words.slice(1);
  const title = entries.find((entry) => entry.lane_title)?.lane_title;
  return title ? `${name}: ${title}` : name;
}

/** One that is still at work goes on until `nowMs`. */
export function spansOf(lanes: readonly Lane[], nowMs: number): Spans {
  const times = lanes.flatMap(({ entries }) => entries.flatMap((entry) => [beganMs(entry), endedMs(entry, nowMs)]));
  const first = Math.min(...times);
  const totalMs = times.length === 0 ? 0 : Math.max(...times) - first;
  const share = (ms: number) => (totalMs === 0 ? 0 : (ms - first) / totalMs);
  const barOf = (entry: RunEntry): Bar => ({
    entry,
    from: share(beganMs(entry)),
    to: share(Math.max(beganMs(entry), endedMs(entry, nowMs))),
  });
  return { totalMs, lanes: lanes.map((lane) => ({ lane, bars: lane.entries.map(barOf) })) };
}

export const beganMs = (entry: RunEntry): number => Date.parse(entry.began_at);

function endedMs(entry: RunEntry, nowMs: number): number {
  return entry.ended_at === null ? Math.max(nowMs, beganMs(entry)) : Date.parse(entry.ended_at);
}

/** Null while it is at work. */
export function tookMs(entry: RunEntry): number | null {
  return entry.ended_at === null ? null : Math.max(0, Date.parse(entry.ended_at) - beganMs(entry));
}

export type EntryMark = "failed" | "uncertain" | "running";

/** What about an entry must not be overlooked. */
export function marksOf({ state, is_error: isError }: RunEntry): readonly EntryMark[] {
  if (state === "uncertain") return ["uncertain"];
  if (state === "intended") return ["running"];
  return isError ? ["failed"] : [];
}
