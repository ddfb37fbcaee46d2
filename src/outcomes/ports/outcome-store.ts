// What changing outcomes needs from a store: one transaction at a time, with the outcome's row locked. The SQL is in
// src/store/outcome/; simulations bring one in memory. An outcome is locked before its user, and the user before any run.

import type { LearntMemory, OfferedMemory } from "../../domain/homr/context/memory.ts";
import type { Observation } from "../../domain/homr/observe/observation.ts";
import type { Outcome, OutcomeId } from "../../domain/homr/outcome.ts";
import type { ApproachMaker, Intervention, NewActivity, OutcomeState } from "../../domain/homr/outcome-state.ts";
import type { OutcomeTask } from "../../domain/homr/tasks/task.ts";
import type { TaskId } from "../../domain/homr/tasks/task-id.ts";
import type { Notification } from "../../domain/notification.ts";
import type { RunId } from "../../domain/run/run.ts";
import type { HomrLease, JobAttempt, JournalEntry, RunTx } from "../../runs/ports/run-store.ts";

/** What a job of HOMЯ is about. */
export type HomrTurn =
  | { readonly kind: "observe"; readonly taskId: TaskId; readonly runId: RunId }
  | { readonly kind: "review" }
  | { readonly kind: "resolve"; readonly escalationId: string }
  | { readonly kind: "draft" }
  /** Deadlines, supervision, tasks that may begin: no model is asked. */
  | { readonly kind: "look" };

export type HomrJob = JobAttempt & { readonly outcomeId: OutcomeId; readonly turn: HomrTurn };

/** Kinds of work that ask models, and so have a journal. */
export type TurnKind = Exclude<HomrTurn["kind"], "look">;

/** One piece of work with models, under a lease, with what earlier tries at it have done. */
export type TakenTurn = { readonly lease: HomrLease; readonly journal: readonly JournalEntry[] };

/** An attempt at a task, as it is kept. */
export type Attempt = {
  readonly taskId: TaskId;
  readonly attempt: number;
  readonly runId: RunId;
  readonly state: "running" | "completed" | "failed" | "canceled";
};

/** How an attempt ended; its run's cost is added to the outcome with it. */
export type EndedAttempt = {
  readonly runId: RunId;
  readonly state: Exclude<Attempt["state"], "running">;
  readonly why: string;
  readonly isObserved: boolean;
};

/** What a review found; `taskId`: the task that was made of it. */
export type KeptReview = {
  readonly cycle: number;
  readonly findings: readonly unknown[];
  readonly isClean: boolean;
  readonly summary: string;
  readonly taskId: TaskId | null;
};

/** Something learnt that later outcomes of the same owner are offered. The same content is kept once. */
export type NewMemory = LearntMemory & { readonly id: string; readonly taskId: TaskId | null };

/** Everything that changes about one outcome in one transaction, except runs and jobs. */
export type OutcomeChange = {
  readonly before: OutcomeState;
  readonly state: OutcomeState;
  readonly begun: readonly Omit<Attempt, "state">[];
  readonly ended: EndedAttempt | null;
  readonly observation: Observation | null;
  readonly activities: readonly NewActivity[];
  readonly newApproach: { readonly text: string; readonly why: string; readonly madeBy: ApproachMaker } | null;
  readonly interventions: readonly Intervention[];
  readonly review: KeptReview | null;
  readonly memories: readonly NewMemory[];
  /** Memories that stood in the brief of an attempt, and whether it went well. */
  readonly weighed: readonly { readonly memoryIds: readonly string[]; readonly hasHelped: boolean }[];
  readonly notifications: readonly Notification[];
};

export type OutcomeTx = {
  /** Locks its row; `spokenOf`: tasks that are spoken of, though they have ended. Null: it is not there, or was deleted. */
  readonly lockOutcome: (id: OutcomeId, spokenOf?: readonly TaskId[]) => Promise<OutcomeState | null>;
  readonly insertOutcome: (outcome: Outcome, tasks: readonly OutcomeTask[]) => Promise<void>;
  readonly save: (change: OutcomeChange) => Promise<void>;
  /** After runs were changed: the owner's lists and notifications, whose lock comes last. */
  readonly tell: (change: OutcomeChange) => Promise<void>;
  readonly findAttempt: (runId: RunId) => Promise<Attempt | null>;
  /** Of its owner, those that fit it; which of them are offered is the rules' to say. */
  readonly findMemories: (outcome: Outcome) => Promise<readonly OfferedMemory[]>;
  readonly countReviews: (id: OutcomeId) => Promise<number>;
  /** Null: it is done already. The outcome is locked. */
  readonly takeTurn: (outcome: Outcome, kind: TurnKind, about: string) => Promise<TakenTurn | null>;
  /** False: another worker has it now. */
  readonly endTurn: (lease: HomrLease, state: "done" | "failed") => Promise<boolean>;
  readonly enqueue: (outcomeId: OutcomeId, turn: HomrTurn, notBeforeMs: number | null) => Promise<void>;
  /** False: the job has been given to someone else since. */
  readonly acknowledge: (job: JobAttempt) => Promise<boolean>;
  /** Runs are changed in the same transaction, after the outcome. */
  readonly runs: RunTx;
};

export type OutcomeTransactions = { readonly transaction: <T>(work: (tx: OutcomeTx) => Promise<T>) => Promise<T> };
