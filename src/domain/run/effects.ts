// What has to be done together with a change of a run: data, carried out by one function in one transaction.

import type { ArtifactRef, Plan } from "../plan/plan.ts";
import type { Proof } from "./checks/check.ts";
import type { NewEvent } from "./events.ts";
import type { IterationError, IterationStatus } from "./iteration-result.ts";
import type { Run } from "./run.ts";

export type Effect =
  | { readonly kind: "append_event"; readonly event: NewEvent }
  /** One more try at this iteration, on the database's clock. */
  | { readonly kind: "begin_attempt"; readonly iteration: number; readonly attempt: number }
  | ({ readonly kind: "end_iteration" } & EndedIteration)
  /** It was taken away in the middle; resuming does it again. */
  | { readonly kind: "interrupt_iteration"; readonly iteration: number }
  | { readonly kind: "keep_proofs"; readonly proofs: readonly Proof[] }
  /** What the user said, for the iteration that comes next. */
  | { readonly kind: "keep_messages"; readonly messages: readonly NewRunMessage[] }
  /** What this iteration took up but its engine did not read: the next one takes it up again. */
  | { readonly kind: "unread_messages"; readonly iteration: number }
  /** The job of this iteration, at once or not before a time. */
  | { readonly kind: "enqueue_iteration"; readonly iteration: number; readonly notBeforeMs: number | null }
  /** Every open job of the run, and the work in flight. */
  | { readonly kind: "drop_jobs" }
  /** The narrative is a model's, where there is one. */
  | { readonly kind: "write_report"; readonly narrative: string | null }
  /** Once for every move to this status that the user did not make. */
  | { readonly kind: "notify_user"; readonly about: NotifiedStatus }
  /** A slot of this user may be free: the next run in line may have it. */
  | { readonly kind: "admit_next" };

/** `holding`: a provider makes it wait for longer than a quarter of an hour, or its model does not answer. */
export const notifiedStatuses = ["waiting_on_user", "holding", "completed", "stopped", "failed"] as const;
export type NotifiedStatus = (typeof notifiedStatuses)[number];

export type EndedIteration = {
  readonly iteration: number;
  readonly status: Exclude<IterationStatus, "running">;
  readonly summary: string;
  /** What the gate answered, or who ended it. */
  readonly decision: string;
  readonly why: string;
  readonly error: IterationError | null;
  readonly artifacts: readonly ArtifactRef[];
  /** As it was afterwards, so that a fork can begin there. */
  readonly plan: Plan;
} & Promised;

/** What a run is measured by. */
export type Promised = Pick<Run, "deliverables" | "checks">;

export type NewRunMessage =
  | { readonly kind: "steer"; readonly text: string }
  | { readonly kind: "answer"; readonly questionId: string; readonly question: string; readonly text: string };

export type Move = { readonly run: Run; readonly effects: readonly Effect[] };

export const append = (event: NewEvent): Effect => ({ kind: "append_event", event });

/** The run leaves its slot: it waits, or it has ended. Null: the user ended it, and need not be told. */
export function leaveSlot(about: NotifiedStatus | null, narrative: string | null = null): readonly Effect[] {
  const notify: readonly Effect[] = about === null ? [] : [{ kind: "notify_user", about }];
  if (about === "waiting_on_user" || about === "holding") return [...notify, { kind: "admit_next" }];
  return [{ kind: "write_report", narrative }, ...notify, { kind: "admit_next" }];
}
