// The runs of a list in the three groups people look for them in, and what the filter says about each. Pure.

import type { ListedRun, RunSummary } from "../../../../../src/protocol/api.ts";
import type { RunGroup } from "../../../lib/data/runs.ts";

type Status = RunSummary["status"];

/** In the order in which they are shown: what waits for the reader first. */
export const runGroups = ["needs_you", "active", "finished"] as const satisfies readonly RunGroup[];

export const groupWords: Readonly<Record<RunGroup, string>> = {
  needs_you: "Needs you",
  active: "In progress",
  finished: "Finished",
};

const groupOfStatus: Readonly<Record<Status, RunGroup>> = {
  waiting_on_user: "needs_you",
  queued: "active",
  running: "active",
  completed: "finished",
  stopped: "finished",
  failed: "finished",
  canceled: "finished",
};

export type GroupCounts = Readonly<Record<RunGroup | "all", number>>;

export function groupCounts(counts: Readonly<Partial<Record<Status, number>>>): GroupCounts {
  const sums = { needs_you: 0, active: 0, finished: 0, all: 0 };
  for (const [status, group] of Object.entries(groupOfStatus)) {
    const count = counts[status as Status] ?? 0;
    sums[group] += count;
    sums.all += count;
  }
  return sums;
}

/** Those at work first, then those in line by their place; the others stay newest first. */
export function inOrder<Run extends RunSummary>(runs: readonly Run[]): readonly Run[] {
  const rank = ({ status, place_in_line: place }: Run) => (status === "queued" ? 1 + (place ?? 0) : 0);
  return runs.toSorted((one, other) => rank(one) - rank(other));
}

/** Stands in the address for archived runs, in place of a group. */
export const archivedWord = "archived";

/** A word in the address that is no group shows all of them. */
export function groupFromAddress(word: string | undefined): RunGroup | undefined {
  return runGroups.find((group) => group === word);
}

/** What was achieved, then what went wrong, then what the reader ended: for the few that ended since the last visit. */
export const resultsFirst = (runs: readonly ListedRun[]): readonly ListedRun[] =>
  runs.toSorted((one, other) => endRank(one) - endRank(other));

function endRank({ status, is_undone: isUndone, stop_reason: reason }: ListedRun): number {
  if (isUndone || status === "canceled" || reason?.type === "paused") return 2;
  return status === "completed" ? 0 : 1;
}
