// What the commands of `run-agent` need from outside: `src/main/run-agent.ts` implements it, tests fake it.

import type { ProcessRow } from "../../runner/job/process-table.ts";
import type { RunnerRoot } from "../../runner/layout/runner-root.ts";
import type { DriveDeps } from "../../runner/task/drive-task.ts";
import type { Host, WebPort } from "../ports.ts";

/** An address that `run-agent serve` listens on. */
export type AgentsListening = {
  /** With the token, where one is needed. */
  readonly url: string;
  readonly root: string;
  readonly token: string | null;
};

export type AgentsServeOptions = {
  readonly root: RunnerRoot;
  readonly host: string;
  readonly port: number;
  /** Ask for a token on loopback as well. */
  readonly needsToken: boolean;
  /** More names the server may be called by. */
  readonly allowedHosts: readonly string[];
  /** Agents of the settings, beside those that are found on this machine. */
  readonly agentNames: readonly string[];
  /** Passed on to the tasks that are started from a page. */
  readonly configFile: string | null;
  readonly signal: AbortSignal;
  readonly onListening: (listening: AgentsListening) => void;
};

export type AgentHost = Pick<Host, "env" | "terminal" | "version" | "stop" | "timeZone"> & {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workingFolder: string;
  readonly homeFolder: string;
  /** The nearest first; empty where they cannot be seen. They tell an agent's call from a person's. */
  readonly processesAbove: () => readonly ProcessRow[];
  /** Which signal `stop` was; null: none came. */
  readonly stoppedBy: () => NodeJS.Signals | null;
  /** Makes the folder if it is missing. */
  readonly openRoot: (folder: string) => RunnerRoot;
  /** What starting agents and driving tasks needs; `configFile` is passed on to agents. */
  readonly openAgents: (root: RunnerRoot, configFile: string | null) => Promise<DriveDeps>;
  /** The web pages as files, and what builds them. */
  readonly openPages: () => Promise<WebPort>;
  /** Serves the pages of a root until the signal. */
  readonly serve: (options: AgentsServeOptions) => Promise<void>;
  /** Starts run-agent with these arguments as a process of its own, which belongs to no run and no terminal. */
  readonly startAlone: (args: readonly string[], mark: string, log: string) => void;
  readonly files: {
    /** Null: there is no such file. Throws `invalid_request` where it cannot be read as text. */
    readonly read: (file: string) => string | null;
    /** A text that a command is given: of any size that makes sense, and from a pipe. Otherwise like `read`. */
    readonly readInput: (file: string) => Promise<string | null>;
    /** Whole or not at all, for its owner's eyes only. */
    readonly write: (file: string, text: string) => void;
  };
};
