// What an iteration of a run lets agents work on, and how: the task and its folder, the pool, the limits, and what a caller that keeps
// an eye on its agents adds.

import type { AgentPromptView, WriteAgentPrompt } from "../../domain/agent/agent-prompt-view.ts";
import type { JobHandle, JobLimits, JobResult, StartDeps } from "../job/job.ts";
import type { StopRequest } from "../layout/run-info.ts";
import type { TaskFolder } from "../layout/runner-root.ts";
import type { AgentPool } from "./agent-pool.ts";

export type AgentIterationDeps = {
  readonly jobs: StartDeps;
  readonly writePrompt: WriteAgentPrompt;
};

export type AgentHooks = {
  /** Whether the end of this agent can be seen from here; otherwise its result is lost. */
  readonly isInReach: (job: JobHandle) => boolean;
  /** Runs beside an agent that is waited for, until the signal. Never rejects. */
  readonly watch: (job: JobHandle, signal: AbortSignal) => Promise<void>;
  /** How an end counts, before it is written down. */
  readonly judgeEnd: (job: JobResult) => JobResult;
};

export type AgentWork = {
  readonly task: TaskFolder;
  /** Where the agent works; also what progress is measured by. */
  readonly workFolder: string;
  readonly pool: AgentPool;
  readonly limits: JobLimits;
  readonly children: { readonly timeoutMs: number; readonly pollMs: number };
  /** The agent run that this task was started from; null: a person started it. */
  readonly parentRunId: string | null;
  readonly depth: number;
  readonly depthMax: number;
  readonly checks: readonly string[];
  /** What is changed in the work folder is committed for the agent. */
  readonly isCommitted: boolean;
  /** Whether the last start left DONE; null: the check of DONE says it. */
  readonly hadDone: boolean | null;
  readonly said: () => AgentPromptView["said"];
  /** Between two tries after an error that may pass, one after the other. */
  readonly retryPausesMs: readonly number[];
  /** Null: agents are only waited for, and each end counts as it is. */
  readonly hooks: AgentHooks | null;
  /** A person, or a signal, has ended the agent: the loop has to obey as well. */
  readonly onStopped: (stop: StopRequest) => Promise<void>;
  /** What the loop waits for, for the person who started it. */
  readonly tell?: (text: string) => void;
  /** Before the result is judged: what the user said meanwhile can be made known to the run. */
  readonly beforeEnd?: () => Promise<void>;
};
