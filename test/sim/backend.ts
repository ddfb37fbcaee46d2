// What a simulation runs on: a store, a queue and a way to look. There is one in memory and one on a real database.

import type { Run, RunId } from "../../src/domain/run/run.ts";
import type { OutcomeTransactions } from "../../src/outcomes/ports/outcome-store.ts";
import type { JobNotice } from "../../src/queue/job-notice.ts";
import type { WorkQueue } from "../../src/queue/job-queue.ts";
import type { HomrLease, JournalStore, Lease, RunStore } from "../../src/runs/ports/run-store.ts";
import type { State } from "./memory/records.ts";
import type { Actor } from "./world.ts";

export type OutcomeKeeping<Writes> = {
  readonly outcomes: OutcomeTransactions;
  readonly journal: JournalStore<Writes, HomrLease>;
};

export type Backend<Writes> = {
  readonly storeFor: (actor: Actor) => RunStore<Writes>;
  readonly queueFor: (actor: Actor) => WorkQueue;
  /** Only a store that keeps outcomes has it. */
  readonly outcomesFor?: (actor: Actor) => OutcomeKeeping<Writes>;
  readonly keepLeases: (actor: Actor, leases: readonly Lease[]) => Promise<void>;
  /** A worker that stops in good order gives its lease back. */
  readonly letGo: (actor: Actor, lease: Lease) => Promise<void>;
  /** Writes something in the user's name, as an entry of this key. */
  readonly write: (writes: Writes, run: Run, documentId: string, key: string) => Promise<void>;
  readonly countDocuments: (runId: RunId) => Promise<number>;
  /** Ids of all that this run and its iteration have taken up. */
  readonly readMessages: (run: Run) => Promise<readonly string[]>;
  readonly findRun: (runId: RunId) => Promise<Run | null>;
  readonly listRuns: () => Promise<readonly Run[]>;
  /** Everything, to look for what must not be. */
  readonly look: () => Promise<State>;
  /** Housekeeping: calls are given up that are this old, of runs that nobody works on. */
  readonly giveUpOldCalls: (ageMs: number) => Promise<void>;
  /** The world's clock for the database has moved. */
  readonly setClock: () => Promise<void>;
  /** Told what workers are told by the database. */
  onNotice: (notice: JobNotice) => void;
};
