// What the executors of an iteration are exploring, read from its entries. Pure.

import type { RunEntry } from "../../../../src/protocol/api.ts";
import { executorNumber } from "../../../../src/protocol/lane-words.ts";

export type Branch = {
  /** Such as `exec:1`. */
  readonly lane: string;
  readonly title: string;
  /** The latest thing it did. */
  readonly latest: string;
  readonly entryCount: number;
  /** It has reported: an executor ends with an answer that calls no tool. */
  readonly isDone: boolean;
};

/** In the order in which they were sent out. */
export function branchesOf(entries: readonly RunEntry[]): readonly Branch[] {
  const branches = new Map<string, Branch>();
  for (const entry of entries) {
    if (executorNumber(entry.lane) === null) continue;
    const before = branches.get(entry.lane);
    branches.set(entry.lane, {
      lane: entry.lane,
      title: entry.lane_title ?? before?.title ?? entry.lane,
      latest: entry.summary,
      entryCount: (before?.entryCount ?? 0) + 1,
      isDone: entry.calls === 0 && !entry.is_error,
    });
  }
  return [...branches.values()].sort((one, other) => numberOf(one) - numberOf(other));
}

const numberOf = ({ lane }: Branch): number => executorNumber(lane) ?? 0;
