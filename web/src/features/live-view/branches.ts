// What the executors of an iteration are exploring, read from its steps. Pure.

import type { RunStep } from "../../../../src/protocol/api.ts";
import { executorNumber } from "../../../../src/protocol/lane-words.ts";

export type Branch = {
  /** Such as `exec:1`. */
  readonly lane: string;
  readonly title: string;
  /** The latest thing it did. */
  readonly latest: string;
  readonly stepCount: number;
  /** It has reported: an executor ends with an answer that calls no tool. */
  readonly isDone: boolean;
};

/** In the order in which they were sent out. */
export function branchesOf(steps: readonly RunStep[]): readonly Branch[] {
  const branches = new Map<string, Branch>();
  for (const step of steps) {
    if (executorNumber(step.lane) === null) continue;
    const before = branches.get(step.lane);
    branches.set(step.lane, {
      lane: step.lane,
      title: step.lane_title ?? before?.title ?? step.lane,
      latest: step.summary,
      stepCount: (before?.stepCount ?? 0) + 1,
      isDone: step.calls === 0 && !step.is_error,
    });
  }
  return [...branches.values()].sort((one, other) => numberOf(one) - numberOf(other));
}

const numberOf = ({ lane }: Branch): number => executorNumber(lane) ?? 0;
