// What the executors of an iteration are exploring, read from its steps. Pure.

import type { RunStep } from "../../../../src/protocol/api.ts";

export type Branch = {
  /** Such as `exec:1`. */
  readonly lane: string;
  readonly title: string;
  /** The latest thing it did. */
  readonly latest: string;
  readonly stepCount: number;
  readonly isDone: boolean;
};

/** What an executor writes last. */
const lastKey = /\/findings$/;

/** In the order in which they were sent out. */
export function branchesOf(steps: readonly RunStep[]): readonly Branch[] {
  const branches = new Map<string, Branch>();
  for (const { key, lane, lane_title: title, summary, state } of steps) {
    if (!lane.startsWith("exec:")) continue;
    const before = branches.get(lane);
    branches.set(lane, {
      lane,
      title: title ?? before?.title ?? lane,
      latest: summary === "" ? (before?.latest ?? "") : summary,
      stepCount: (before?.stepCount ?? 0) + 1,
      isDone: (before?.isDone ?? false) || (lastKey.test(key) && state === "done"),
    });
  }
  return [...branches.values()];
}
