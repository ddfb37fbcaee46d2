// What the commands of `run-agent` need from outside: `src/main/run-agent.ts` implements it, tests fake it.

import type { RunnerRoot } from "../../runner/layout/runner-root.ts";
import type { DriveDeps } from "../../runner/task/drive-task.ts";
import type { Host } from "../ports.ts";

export type AgentHost = Pick<Host, "env" | "terminal" | "version" | "stop" | "timeZone"> & {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workingFolder: string;
  readonly homeFolder: string;
  /** Which signal `stop` was; null: none came. */
  readonly stoppedBy: () => NodeJS.Signals | null;
  /** Makes the folder if it is missing. */
  readonly openRoot: (folder: string) => RunnerRoot;
  /** What starting agents and driving tasks needs; `configFile` is passed on to agents. */
  readonly openAgents: (root: RunnerRoot, configFile: string | null) => Promise<DriveDeps>;
  readonly files: {
    /** Null: there is no such file. Throws `invalid_request` where it cannot be read as text. */
    readonly read: (file: string) => string | null;
    /** Whole or not at all, for its owner's eyes only. */
    readonly write: (file: string, text: string) => void;
  };
};
