// Of a lease in memory, the time in which nothing was under way but calls of models that brought no answer, as
// src/store/run/leased-time.ts counts it.

import type { CallRow, RunRecord } from "./records.ts";

export function lostMs({ run, calls, leasedAtMs }: RunRecord, untilMs: number): number {
  if (leasedAtMs === null) return 0;
  const mine = calls.filter(({ iteration, fence }) => iteration === run.state.iteration && fence === run.fence);
  const spans = mine.map((call) => ({ call, from: beginOf(call), to: Math.min(call.endedAtMs ?? untilMs, untilMs) }));
  const edges = [...new Set(spans.flatMap(({ from, to }) => [from, to]))].filter((at) => at >= leasedAtMs);
  const sorted = edges.sort((a, b) => a - b);
  const pieces = sorted.slice(1).map((to, n) => [sorted[n] ?? to, to] as const);
  return pieces
    .filter(([from, to]) => {
      const under = spans.filter((span) => span.from <= from && span.to >= to);
      return under.length > 0 && under.every(({ call }) => isLost(call));
    })
    .reduce((sum, [from, to]) => sum + to - from, 0);
}

const isLost = ({ state, isFailed, silentSinceMs }: CallRow) =>
  isFailed || (state !== "settled" && silentSinceMs !== null);
const beginOf = ({ isFailed, atMs, silentSinceMs }: CallRow) => (isFailed ? atMs : (silentSinceMs ?? atMs));
