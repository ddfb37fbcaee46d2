// One agent run as a durable thing: what is asked for, how it is found again, and what came of it.

import type { ProcessIdentity } from "../../files/process-identity.ts";
import {
  amount,
  anyOf,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  positive,
  type ReadBy,
  record,
  text,
  whole,
} from "../../lib/shape.ts";
import type { AgentRequest, Backend, Heard, Tokens, Verdict } from "../backends/backend.ts";
import type { RunInfo, StopRequest } from "../layout/run-info.ts";
import type { RunFolder, RunnerRoot, TaskFolder } from "../layout/runner-root.ts";
import type { AgentSurroundings } from "./agent-env.ts";
import type { ProcessTable } from "./process-table.ts";

export type JobDeps = {
  readonly root: RunnerRoot;
  readonly table: ProcessTable;
};

export type StartDeps = JobDeps & {
  readonly surroundings: AgentSurroundings;
  /** The program that runs `runShim`; the ids of the run are added to its arguments. */
  readonly shim: { readonly file: string; readonly args: readonly string[] };
  /** Of this machine. */
  readonly timeZone: string;
};

const limitsShape = object({
  /** Silence with nothing at work after which the run is ended; null: never. */
  idleMs: nullable(positive),
  /** Silence after which a warning is posted, also when something is at work; null: never. */
  stuckMs: nullable(positive),
  /** The longest that the run may take at all. */
  wallMs: nullable(positive),
  /** How long the first output may take; null: only `idleMs` counts. */
  firstOutputMs: nullable(positive),
  /** Between SIGTERM and SIGKILL. */
  graceMs: amount,
});
export type JobLimits = Readonly<ReadBy<typeof limitsShape>>;

const minute = 60_000;
export const defaultLimits: JobLimits = {
  idleMs: 5 * minute,
  stuckMs: 15 * minute,
  wallMs: 24 * 60 * minute,
  firstOutputMs: null,
  graceMs: 5_000,
};

export type JobRequest = Omit<AgentRequest, "promptFile" | "ownFolder"> & {
  readonly task: TaskFolder;
  readonly backend: Backend;
  /** Where it names the run's own folder, it is written once there is one. */
  readonly prompt: string | ((run: RunFolder) => string);
  readonly limits: JobLimits;
  readonly parentRunId?: string;
  readonly previousRunId?: string;
  /** Where an earlier run keeps the session to go on with; left out: a folder of this run. */
  readonly ownFolder?: string;
  /** What the session had used before this run. */
  readonly sessionBefore?: SessionTotals | null;
  /** An empty HOME in the run's folder instead of the person's own. */
  readonly hasOwnHome?: boolean;
  readonly conductorUrl?: string | null;
  /** For people: why this backend, which version. */
  readonly facts?: Partial<
    Pick<
      RunInfo,
      | "agent_name"
      | "chosen_because"
      | "agent_version"
      | "backend_provider"
      | "backend_model"
      | "backend_endpoint"
      | "depth"
      | "depth_max"
    >
  >;
  /** Two starts under one key in one task are one run. */
  readonly key?: string;
};

const tokensShape = object({
  input: number,
  cacheRead: number,
  cacheWrite: number,
  output: number,
  reasoning: number,
});
const totalsShape = object({ tokens: nullable(tokensShape), costUsd: nullable(number) });
export type SessionTotals = Readonly<ReadBy<typeof totalsShape>>;

/** What the shim is told by its starter, through a pipe: keys are in it, so it is not on the disk. */
export const orderShape = object({
  host: text,
  backend: text,
  /** For people. */
  agent_name: optional(text),
  tag: text,
  command: object({
    file: text,
    args: list(text),
    stdin: oneOf("prompt", "nothing"),
    workFolder: text,
  }),
  env: record(text),
  limits: limitsShape,
  sessionBefore: nullable(totalsShape),
  timeZone: text,
});
export type JobOrder = Readonly<ReadBy<typeof orderShape>>;

/** How a run is found again, by any process of its host. JSON. */
export type JobHandle = {
  readonly project_id: string;
  readonly task_id: string;
  readonly run_id: string;
  readonly host: string;
  readonly shim: ProcessIdentity;
};

export const timeoutCauses = ["idle", "wall_clock", "no_first_output"] as const;
export type TimeoutCause = (typeof timeoutCauses)[number];

const verdictShape = anyOf(
  object({ kind: oneOf("ok") }),
  object({ kind: oneOf("transient"), why: text, notBeforeMs: nullable(number) }),
  object({ kind: oneOf("refused"), why: text }),
  object({ kind: oneOf("failed"), why: text }),
);

export const resultShape = object({
  run_id: text,
  verdict: verdictShape,
  /** As run-info has it: 128 and the signal's number where a signal ended the agent, -1 where it is not known. */
  exit_code: whole,
  signal: nullable(text),
  /** Someone asked for the end. */
  stop: nullable(object({ at: text, by: text, reason: text })),
  timeout: nullable(oneOf(...timeoutCauses)),
  session: nullable(text),
  /** Of this run alone. */
  tokens: nullable(tokensShape),
  cost_usd: nullable(number),
  /** Of the session up to now, where the agent counts so. */
  session_totals: nullable(totalsShape),
  /** What could not be done or kept, in words. */
  notes: list(text),
});
export type JobResult = {
  readonly run_id: string;
  readonly verdict: Verdict;
  readonly exit_code: number;
  readonly signal: string | null;
  readonly stop: StopRequest | null;
  readonly timeout: TimeoutCause | null;
  readonly session: string | null;
  readonly tokens: Tokens | null;
  readonly cost_usd: number | null;
  readonly session_totals: SessionTotals | null;
  readonly notes: readonly string[];
};

/** What one run has used, where an agent counts for its whole session. */
export function countUsage(
  heard: Heard,
  before: SessionTotals | null,
): Pick<JobResult, "tokens" | "cost_usd" | "session_totals"> {
  const { tokens, costUsd, isSessionTotal } = heard;
  if (!isSessionTotal) return { tokens, cost_usd: costUsd, session_totals: null };
  const less = (now: number, then: number | undefined) => Math.max(0, now - (then ?? 0));
  const then = before?.tokens;
  return {
    tokens: tokens && {
      input: less(tokens.input, then?.input),
      cacheRead: less(tokens.cacheRead, then?.cacheRead),
      cacheWrite: less(tokens.cacheWrite, then?.cacheWrite),
      output: less(tokens.output, then?.output),
      reasoning: less(tokens.reasoning, then?.reasoning),
    },
    cost_usd: costUsd === null ? null : less(costUsd, before?.costUsd ?? 0),
    session_totals: { tokens, costUsd },
  };
}

/** The shim that a record names; null: none has taken the run yet. */
export const shimOf = ({ shim_pid: pid, shim_started: started = "" }: RunInfo): ProcessIdentity | null =>
  pid === undefined ? null : { pid, started };

/** The agent's own process; null while the record still names the starter or the shim. */
export const agentOf = (info: RunInfo): ProcessIdentity | null =>
  info.shim_pid === undefined || info.pid === info.shim_pid
    ? null
    : { pid: info.pid, started: info.process_started ?? "" };
