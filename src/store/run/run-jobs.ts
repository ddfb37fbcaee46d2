// The jobs of runs: what the store needs of the queue, and what a job of a run says.

import type { Tx } from "../../db/database.ts";
import type { Run, RunId } from "../../domain/run/run.ts";
import type { JobAttempt } from "../../runs/ports/run-store.ts";
import type { DeliveryJobs } from "../channel/delivery-jobs.ts";
import type { QueuedTurn } from "../outcome/homr-jobs.ts";

export type RunJob = {
  readonly kind: "iteration";
  readonly key: string;
  readonly data: object;
  readonly notBeforeMs: number | null;
  readonly isNews: boolean;
};

/** What the store needs of the queue, in the same transaction. */
export type RunJobs = DeliveryJobs & {
  readonly enqueue: (tx: Tx, job: RunJob | QueuedTurn) => Promise<void>;
  readonly drop: (tx: Tx, kind: "iteration", key: string) => Promise<void>;
  readonly complete: (tx: Tx, job: JobAttempt & { readonly kind: "iteration" }) => Promise<boolean>;
};

/** One open job per run and iteration. */
export const jobKey = (runId: RunId, iteration: number) => `homework:${runId}:${iteration}`;

export const jobOf = (run: Run, iteration: number, notBeforeMs: number | null): RunJob => ({
  kind: "iteration",
  key: jobKey(run.id, iteration),
  data: jobData(run, iteration),
  notBeforeMs,
  isNews: run.state.status === "queued",
});

function jobData({ id, context, budget, permission }: Run, iteration: number): object {
  return {
    run_id: id,
    iteration,
    chat_session_id: null,
    context_type: context.type,
    ...(context.entityId === null ? {} : { entity_id: context.entityId }),
    budgets: {
      max_iterations: budget.maxIterations,
      max_wall_clock_ms: budget.maxRunningMs,
      ...(budget.maxCostMicroUsd === null ? {} : { max_cost_usd: budget.maxCostMicroUsd / 1_000_000 }),
      ...(budget.maxTokens === null ? {} : { max_total_tokens: budget.maxTokens }),
    },
    permissions: {
      write_mode: permission.writeMode,
      ...(permission.allowedTools === null ? {} : { allowed_tools: permission.allowedTools }),
    },
  };
}
