// What has to be done together with a change of a run: data, carried out by one function in one transaction.

import type { RunEvent } from "./events.ts";
import type { Run, RunId, RunStatus } from "./run.ts";

export type Effect =
  | { readonly kind: "append_event"; readonly event: RunEvent }
  /** The job of this iteration, at once or not before a time. */
  | {
      readonly kind: "enqueue_iteration";
      readonly runId: RunId;
      readonly iteration: number;
      readonly notBeforeMs: number | null;
    }
  /** Every open job of the run, and the work in flight. */
  | { readonly kind: "drop_jobs"; readonly runId: RunId }
  | { readonly kind: "write_report"; readonly runId: RunId; readonly status: RunStatus }
  /** Once for every move to this status. */
  | { readonly kind: "notify_user"; readonly runId: RunId; readonly about: NotifiedStatus }
  /** A slot of this user is free: the next run in line may have it. */
  | { readonly kind: "admit_next"; readonly runId: RunId };

export type NotifiedStatus = Extract<RunStatus, "completed" | "stopped" | "failed" | "canceled" | "waiting_on_user">;

export type Step = { readonly run: Run; readonly effects: readonly Effect[] };

export const append = (event: RunEvent): Effect => ({ kind: "append_event", event });

/** The run leaves its slot: it waits, or it has ended. */
export function leaveSlot(run: Run, about: NotifiedStatus): readonly Effect[] {
  const notify: Effect = { kind: "notify_user", runId: run.id, about };
  const admit: Effect = { kind: "admit_next", runId: run.id };
  if (about === "waiting_on_user") return [notify, admit];
  return [{ kind: "write_report", runId: run.id, status: about }, notify, admit];
}
