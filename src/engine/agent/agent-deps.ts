// What the agent engine is made of: where agents are started, which ones there are, and the numbers by which they are watched.

import type { Database } from "../../db/database.ts";
import type { WriteAgentPrompt } from "../../domain/agent/agent-prompt-view.ts";
import type { Env } from "../../lib/env.ts";
import type { JobLimits, StartDeps } from "../../runner/job/job.ts";
import type { AgentPool, PoolAgent } from "../../runner/task/agent-pool.ts";
import type { Git } from "../../runner/work/git.ts";

export type AgentTimes = {
  /** A host that was not seen for so long is given up, and another one begins anew. */
  readonly hostGraceMs: number;
  /** How often the work folder and the bus are looked at while an agent works. */
  readonly watchEveryMs: number;
  /** An agent that waits for an answer for so long is ended, and its question becomes the run's. */
  readonly questionGraceMs: number;
  /** A command that a check runs may take so long. */
  readonly commandMs: number;
  /** Between two tries after an error that may pass, one after the other. */
  readonly retryPausesMs: readonly number[];
};

const second = 1_000;
export const usualTimes: AgentTimes = {
  hostGraceMs: 600 * second,
  watchEveryMs: 2 * second,
  questionGraceMs: 10 * second,
  commandMs: 600 * second,
  retryPausesMs: [second, 2 * second, 4 * second],
};

export type AgentDeps = {
  readonly db: Database;
  readonly env: Env;
  readonly jobs: StartDeps;
  readonly git: Git;
  readonly pool: AgentPool;
  /** In the order in which they review; the one that did the work comes last. */
  readonly agents: readonly PoolAgent[];
  readonly limits: JobLimits;
  readonly children: { readonly timeoutMs: number; readonly pollMs: number };
  readonly depthMax: number;
  readonly times: AgentTimes;
  readonly writePrompt: WriteAgentPrompt;
};
