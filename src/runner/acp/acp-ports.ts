// What one conversation over the Agent Client Protocol is given: what is asked for, what it may touch of this machine, and its limits.

import type { Readable, Writable } from "node:stream";
import type { PermissionPolicy } from "../backends/backend.ts";
import type { Fields } from "../backends/read-event.ts";
import type { BusQuestion } from "./bus-line.ts";
import type { WorkFiles } from "./work-files.ts";

export type AcpOrder = {
  readonly prompt: string;
  readonly workFolder: string;
  readonly session: string | null;
  readonly model: string | null;
  readonly mode: string | null;
  readonly permissions: PermissionPolicy;
};

export type AcpPorts = {
  /** What the agent prints, and what it reads. */
  readonly output: Readable;
  readonly input: Writable;
  /** How its process has ended, in words. */
  readonly exit: Promise<string>;
  /** A line of the agent that is no message. */
  readonly noise: (line: string) => void;
  /** One line of JSON. */
  readonly tell: (line: Fields) => void;
  /** Null: no person can be asked. */
  readonly ask: ((question: BusQuestion, signal: AbortSignal) => Promise<string>) | null;
  readonly takeMessages: () => readonly string[];
  readonly files: WorkFiles;
  /** Aborted when the run is to end. */
  readonly asked: AbortSignal;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly limits: AcpLimits;
};

export type AcpLimits = {
  /** An agent that starts answers within this; npx may have to fetch it first. */
  readonly startMs: number;
  /** How long a canceled turn may take to say so. */
  readonly cancelMs: number;
  readonly permissionsMax: number;
  readonly turnsMax: number;
};
