// The run that a page is about, for everything on it: as it was last read, what its models cost, and the live view with every
// event since. The frame provides it.

import { createContext, useContext } from "react";
import type { Run, routes } from "../../../../src/protocol/api.ts";
import type { RouteResult } from "../../../../src/protocol/route.ts";
import type { RunView } from "../../../../src/protocol/run-view.ts";

type Answer = RouteResult<typeof routes.runs.get>;
export type RunUsage = Answer["usage"];

export type RunOnPage = {
  readonly run: Run;
  /** What each model was asked and cost, the dearest first. */
  readonly usage: RunUsage;
  /** The task of an outcome that it works on; null: it stands by itself. */
  readonly outcomeTask: Answer["outcome_task"];
  /** The run that it follows up; null: none. */
  readonly follows: Answer["follows"];
  /** Runs that follow it up, the oldest first. */
  readonly followUps: Answer["follow_ups"];
  /** Ahead of `run` by the events that have come since it was read. */
  readonly view: RunView;
};

const RunContext = createContext<RunOnPage | null>(null);

export const RunProvider = RunContext.Provider;

export function useRun(): RunOnPage {
  const run = useContext(RunContext);
  if (run === null) throw new Error("useRun belongs below RunProvider");
  return run;
}
