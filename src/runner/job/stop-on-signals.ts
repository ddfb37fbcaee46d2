// What a starter does that waits for its run in the foreground: Ctrl-C and SIGTERM stop the run and record it, SIGHUP lets go of it.

import type { RunFolder } from "../layout/runner-root.ts";
import type { JobDeps } from "./job.ts";
import { stopJob } from "./stop-job.ts";

/** `process`, or something like it in a test. */
export type SignalSource = {
  readonly on: (name: "SIGINT" | "SIGTERM" | "SIGHUP", heard: () => void) => unknown;
  readonly off: (name: "SIGINT" | "SIGTERM" | "SIGHUP", heard: () => void) => unknown;
};

export type SignalWatch = {
  /** Aborted by SIGHUP: the terminal is gone, or the agent that this program works for has ended. The run goes on without it. */
  readonly letGo: AbortSignal;
  /** Resolves at once where no signal came, else when the run was stopped. */
  readonly end: () => Promise<void>;
};

/** Call it before the run is started: a signal that comes meanwhile is obeyed once there is something to stop. */
export function stopOnSignals(deps: JobDeps, started: Promise<RunFolder>, source: SignalSource): SignalWatch {
  const letGo = new AbortController();
  let stopping: Promise<unknown> | null = null;
  const stop = (name: string) => () => {
    const options = { by: "the starter", reason: `${name} came while it was waited for` };
    // A run that did not start has said so already.
    stopping ??= started.then(
      (run) => stopJob(deps, run, options),
      () => {},
    );
  };
  const listeners = [
    ["SIGINT", stop("Ctrl-C")],
    ["SIGTERM", stop("SIGTERM")],
    ["SIGHUP", () => letGo.abort()],
  ] as const;
  for (const [name, heard] of listeners) source.on(name, heard);
  return {
    letGo: letGo.signal,
    end: async () => {
      for (const [name, heard] of listeners) source.off(name, heard);
      await stopping;
    },
  };
}
