// What is to be said of a task in one word, from what its folder shows. Pure.

export type TaskStatus =
  | "new"
  | "blocked"
  | "running"
  | "waiting"
  | "finishing"
  | "done"
  | "stopped"
  | "failed"
  | "ended";

export type TaskFacts = {
  readonly isDone: boolean;
  readonly isStopRequested: boolean;
  /** Runs whose process is alive, or may be on another host. */
  readonly activeRuns: number;
  readonly lastRun: "completed" | "failed" | "unknown" | null;
  /** An active run asked a question that has no answer yet. */
  readonly isWaiting: boolean;
  /** Tasks it depends on that are not done. */
  readonly missing: readonly string[];
};

export type StatusWithReason = { readonly status: TaskStatus; readonly why: string };

export function describeTask(facts: TaskFacts): StatusWithReason {
  const { isDone, activeRuns, lastRun } = facts;
  if (activeRuns > 0) {
    if (isDone) return { status: "finishing", why: `DONE is there; ${runs(activeRuns)} still running.` };
    if (facts.isWaiting) return { status: "waiting", why: "An agent asked a question that has no answer yet." };
    return { status: "running", why: `${runs(activeRuns)} running.` };
  }
  if (isDone) return { status: "done", why: "DONE is there and no run is active." };
  if (facts.isStopRequested) return { status: "stopped", why: "A stop was requested." };
  if (facts.missing.length > 0)
    return { status: "blocked", why: `Needs ${facts.missing.join(", ")} to be done first.` };
  if (lastRun === null) return { status: "new", why: "No run was started yet." };
  if (lastRun === "completed") return { status: "ended", why: "The last run ended well, but there is no DONE." };
  return { status: "failed", why: "The last run failed and there is no DONE." };
}

const runs = (count: number): string => (count === 1 ? "1 run is" : `${count} runs are`);

/** Nothing more happens by itself. */
export const isSettled = (status: TaskStatus): boolean => !["running", "waiting", "finishing"].includes(status);
