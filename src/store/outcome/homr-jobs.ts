// The jobs of HOMЯ: what a job of an outcome says, and how it is read back.

import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import type { OutcomeId } from "../../domain/homr/outcome.ts";
import type { TaskId } from "../../domain/homr/tasks/task-id.ts";
import type { RunId } from "../../domain/run/run.ts";
import type { HomrJob, HomrTurn } from "../../outcomes/ports/outcome-store.ts";
import type { JobAttempt } from "../../runs/ports/run-store.ts";
import { idColumn } from "../row.ts";

export type QueuedTurn = {
  readonly kind: "homr";
  readonly key: string;
  readonly data: object;
  readonly notBeforeMs: number | null;
  readonly isNews: boolean;
};

/** What the store needs of the queue, in the same transaction. */
export type HomrJobs = {
  readonly enqueue: (tx: Tx, job: QueuedTurn) => Promise<void>;
  readonly complete: (tx: Tx, job: JobAttempt & { readonly kind: "homr" }) => Promise<boolean>;
};

/** Looks at about the same time are one. */
const lookGridMs = 10_000;

export function turnJob(outcomeId: OutcomeId, turn: HomrTurn, notBeforeMs: number | null): QueuedTurn {
  const atMs = turn.kind === "look" && notBeforeMs !== null ? roundUp(notBeforeMs) : notBeforeMs;
  return {
    kind: "homr",
    key: `homr:${outcomeId}:${nameTurn(turn, atMs)}`,
    data: { outcome_id: outcomeId, turn: toData(turn) },
    notBeforeMs: atMs,
    isNews: atMs === null,
  };
}

const roundUp = (ms: number) => Math.ceil(ms / lookGridMs) * lookGridMs;

/** One open job for each of these. */
function nameTurn(turn: HomrTurn, atMs: number | null): string {
  switch (turn.kind) {
    case "observe":
      return `observe:${turn.runId}`;
    case "resolve":
      return `resolve:${turn.escalationId}`;
    case "look":
      return `look:${atMs ?? "now"}`;
    default:
      return turn.kind;
  }
}

const toData = (turn: HomrTurn): object => {
  if (turn.kind === "observe") return { kind: turn.kind, task_id: turn.taskId, run_id: turn.runId };
  return turn.kind === "resolve" ? { kind: turn.kind, escalation_id: turn.escalationId } : turn;
};

const jobData = z.object({
  outcome_id: idColumn<OutcomeId>(),
  turn: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("observe"), task_id: idColumn<TaskId>(), run_id: idColumn<RunId>() }),
    z.object({ kind: z.literal("resolve"), escalation_id: z.string() }),
    z.object({ kind: z.enum(["review", "draft", "look"]) }),
  ]),
});

export function toHomrJob({ id, attempt, data }: JobAttempt & { readonly data: unknown }): HomrJob {
  const { outcome_id: outcomeId, turn } = jobData.parse(data);
  return { id, attempt, outcomeId, turn: toTurn(turn) };
}

function toTurn(turn: z.infer<typeof jobData>["turn"]): HomrTurn {
  if (turn.kind === "observe") return { kind: turn.kind, taskId: turn.task_id, runId: turn.run_id };
  return turn.kind === "resolve" ? { kind: turn.kind, escalationId: turn.escalation_id } : { kind: turn.kind };
}
