// The rows of a simulated database. What belongs to one run is one immutable record, so that a transaction's draft is a
// copy and undoing is forgetting it. Invariants are looked for in these, whoever wrote them.

import type { OutcomeContext } from "../../../src/domain/homr/context/context.ts";
import type { Observation } from "../../../src/domain/homr/observe/observation.ts";
import type { Outcome, OutcomeId } from "../../../src/domain/homr/outcome.ts";
import type { Intervention, NewActivity } from "../../../src/domain/homr/outcome-state.ts";
import type { Escalation } from "../../../src/domain/homr/questions/escalation.ts";
import type { OutcomeTask } from "../../../src/domain/homr/tasks/task.ts";
import type { ArtifactRef, Plan } from "../../../src/domain/plan/plan.ts";
import type { Spent } from "../../../src/domain/run/budget/budget.ts";
import type { NotifiedStatus, Promised } from "../../../src/domain/run/effects.ts";
import type { EventOf, Stamp, UnstampedEvent } from "../../../src/domain/run/events.ts";
import type { IterationStatus } from "../../../src/domain/run/iteration-result.ts";
import type { Report } from "../../../src/domain/run/report/report-shape.ts";
import type { Run, RunId } from "../../../src/domain/run/run.ts";
import type { Attempt, KeptReview, NewMemory, TurnKind } from "../../../src/outcomes/ports/outcome-store.ts";
import type { JobKind } from "../../../src/queue/job-kinds.ts";
import type { EntryKind, RunMessage } from "../../../src/runs/ports/run-store.ts";

/** Without what the real store stamps it with. */
export type SimEvent =
  | UnstampedEvent
  | EventOf<"entry_recorded" | "iteration_cost_update" | "run_undone" | "run_restored">
  | Omit<EventOf<"iteration_released">, keyof Stamp>;

export type StoredEvent = { readonly seq: number; readonly event: SimEvent };

export type IterationRow = {
  readonly iteration: number;
  readonly attempts: number;
  readonly status: IterationStatus;
  readonly decision: string | null;
  readonly artifacts: readonly ArtifactRef[];
  readonly plan: Plan | null;
  readonly promised: Promised | null;
  /** What the run had spent when it began, and, once it is over, what it spent itself. */
  readonly before: Spent;
  readonly used: Spent | null;
};

export type EntryRow = {
  readonly iteration: number;
  readonly key: string;
  readonly lane: string;
  readonly kind: EntryKind;
  readonly state: "intended" | "done" | "uncertain";
  readonly fence: number;
  readonly result: unknown;
  readonly handle: unknown;
  /** When it was done, or begun. */
  readonly atMs: number;
};

export type MessageRow = RunMessage & { readonly askedIn: number | null; readonly consumedIteration: number | null };

export type CallRow = {
  readonly callId: string;
  readonly iteration: number;
  readonly key: string;
  readonly fence: number;
  readonly state: "reserved" | "settled" | "unknown";
  readonly reservedMicroUsd: number;
  readonly costMicroUsd: number;
  readonly tokens: number;
  readonly atMs: number;
  /** Null while it is under way, and of one that was given up. */
  readonly endedAtMs: number | null;
  /** It brought no answer. */
  readonly isFailed: boolean;
  readonly silentSinceMs: number | null;
};

/** Of a call that was just reserved. */
export const underWay = { endedAtMs: null, isFailed: false, silentSinceMs: null, costMicroUsd: 0, tokens: 0 } as const;

export type RunRecord = {
  readonly run: Run;
  readonly attempts: number;
  readonly leasedAtMs: number | null;
  readonly leaseSeenAtMs: number | null;
  /** When its user was last notified that a model does not answer. */
  readonly silenceToldAtMs: number | null;
  readonly moves: number;
  readonly lastSeq: number;
  readonly queuedAtMs: number;
  readonly events: readonly StoredEvent[];
  readonly iterations: readonly IterationRow[];
  readonly entries: readonly EntryRow[];
  readonly messages: readonly MessageRow[];
  readonly calls: readonly CallRow[];
  /** The one about this run: how often the user was told, and what last. */
  readonly notification: { readonly told: number; readonly event: NotifiedStatus; readonly isRead: boolean } | null;
  readonly report: Report | null;
};

export type JobRow = {
  readonly id: string;
  readonly kind: JobKind;
  readonly data: unknown;
  readonly state: "created" | "retry" | "active";
  readonly attempt: number;
  readonly wasStarted: boolean;
  readonly startAfterMs: number;
  readonly heartbeatMs: number;
  /** Older ones go first. */
  readonly order: number;
  /** For those who watch: which delivery gave it back (null: it was taken away), and which gave the last sign of life. */
  readonly givenBackBy: number | null;
  readonly touchedBy: number | null;
};

/** The run and iteration that a job is about; null where it is about something else. */
export function aboutOf({ kind, data }: JobRow): { readonly runId: RunId; readonly iteration: number } | null {
  if (kind !== "iteration") return null;
  const { run_id: runId, iteration } = data as { run_id: RunId; iteration: number };
  return { runId, iteration };
}

/** Something an entry wrote in the user's name. */
export type DocumentRow = {
  readonly id: string;
  readonly runId: RunId;
  readonly iteration: number;
  readonly key: string;
  readonly fence: number;
};

/** A piece of HOMЯ's work, with its own journal and ledger; `iteration` of their rows is the turn. */
export type TurnRow = {
  readonly turn: number;
  readonly kind: TurnKind;
  readonly about: string;
  readonly state: "running" | "done" | "failed";
  readonly fence: number;
  readonly entries: readonly EntryRow[];
  readonly calls: readonly CallRow[];
};

export type AttemptRow = Attempt & { readonly isObserved: boolean | null };

/** All of one outcome. Its money is not here: it is the sum of its turns and of the runs of its attempts. */
export type OutcomeRecord = {
  readonly outcome: Outcome;
  readonly isDeleted: boolean;
  readonly tasks: readonly OutcomeTask[];
  readonly attempts: readonly AttemptRow[];
  readonly context: OutcomeContext;
  readonly escalations: readonly Escalation[];
  readonly observations: readonly Observation[];
  readonly activities: readonly NewActivity[];
  readonly interventions: readonly Intervention[];
  readonly reviews: readonly KeptReview[];
  readonly memories: readonly NewMemory[];
  readonly turns: readonly TurnRow[];
  /** Times that the owner was told something. */
  readonly told: number;
};

/** How everything stands at one moment. */
export type State = {
  readonly outcomes: ReadonlyMap<OutcomeId, OutcomeRecord>;
  readonly runs: ReadonlyMap<RunId, RunRecord>;
  readonly jobs: ReadonlyMap<string, JobRow>;
  readonly documents: ReadonlyMap<RunId, readonly DocumentRow[]>;
};

export const hasSlot = ({ run: { state } }: RunRecord): boolean =>
  state.status === "running" || (state.status === "queued" && state.hasSlot);

export const isInLine = ({ run: { state } }: RunRecord): boolean => state.status === "queued" && !state.hasSlot;
