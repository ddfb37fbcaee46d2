// Whether the agent of a task is started again once its run ends. Pure.

import { isSettled, type TaskStatus } from "../overview/task-status.ts";

export type RestartFacts = {
  readonly status: TaskStatus;
  readonly isDone: boolean;
  readonly isStopRequested: boolean;
  /** Is a `run-agent task` at work on it? Null: that cannot be told. */
  readonly hasLoop: boolean | null;
  /** Why the loop gave up, in its own words; null: it did not. */
  readonly gaveUp: string | null;
  /** How often the root agent was started again. */
  readonly restarts: number;
  readonly maxRestarts: number | null;
};

export type RestartForecast = { readonly will_restart: "yes" | "no" | "unknown"; readonly why: string };

export function forecastRestart(facts: RestartFacts): RestartForecast {
  const no = (why: string): RestartForecast => ({ will_restart: "no", why });
  if (facts.isDone) return no("The task is done.");
  if (facts.isStopRequested) return no("A stop was requested.");
  if (facts.gaveUp !== null) return no(facts.gaveUp);
  if (facts.status === "new" && facts.hasLoop !== true) return no("The task was not started yet.");
  if (facts.hasLoop === false)
    return no(
      isSettled(facts.status)
        ? "No run-agent task is working on it. Start the task again to go on."
        : "No run-agent task is working on it, so no other run follows.",
    );
  if (facts.maxRestarts !== null && facts.restarts >= facts.maxRestarts)
    return no(`All ${facts.maxRestarts} restarts are used.`);
  const left = facts.maxRestarts === null ? "" : ` ${facts.maxRestarts - facts.restarts} restarts are left.`;
  if (facts.hasLoop === true) return { will_restart: "yes", why: `Until the agent writes DONE.${left}` };
  return { will_restart: "unknown", why: `Only if run-agent task is working on it.${left}` };
}
