// The backend in memory. A planted bug gets in here: as rules answered wrongly, or wrapped around the store.

import type { WorkQueue } from "../../../src/queue/job-queue.ts";
import type { RunStore } from "../../../src/runs/ports/run-store.ts";
import type { Backend } from "../backend.ts";
import type { Actor, World } from "../world.ts";
import { MemoryDatabase } from "./memory-database.ts";
import { memoryHomrJournal } from "./memory-homr-journal.ts";
import { type MemoryWrites, memoryJournalStore } from "./memory-journal-store.ts";
import { memoryOutcomes } from "./memory-outcome-tx.ts";
import { memoryKeepLeases, memoryLetGo, memoryQueue } from "./memory-queue.ts";
import { giveUpOldCalls, memoryTransactions } from "./memory-run-tx.ts";
import { type Rules, rightRules } from "./rules.ts";

export type MemoryBackend = Backend<MemoryWrites> & {
  readonly database: MemoryDatabase;
  readonly outcomesFor: NonNullable<Backend<MemoryWrites>["outcomesFor"]>;
};

/** How a planted bug changes the world's parts. */
export type StoreBug = {
  readonly rules?: (database: MemoryDatabase) => Partial<Rules>;
  readonly store?: (store: RunStore<MemoryWrites>, database: MemoryDatabase, actor: Actor) => RunStore<MemoryWrites>;
  readonly queue?: (queue: WorkQueue, database: MemoryDatabase, actor: Actor) => WorkQueue;
};

export function memoryBackend(world: World, bug: StoreBug = {}): MemoryBackend {
  const database = new MemoryDatabase(world);
  const rules: Rules = { ...rightRules, ...bug.rules?.(database) };
  const backend: MemoryBackend = {
    database,
    storeFor: (actor) => {
      const store = {
        ...memoryTransactions(database, rules, actor.name),
        ...memoryJournalStore(database, rules, actor.name),
      };
      return bug.store?.(store, database, actor) ?? store;
    },
    queueFor: (actor) => {
      const queue = memoryQueue(database, rules, actor.name, () => world.nowMs + actor.clockOffMs);
      return bug.queue?.(queue, database, actor) ?? queue;
    },
    outcomesFor: (actor) => ({
      outcomes: memoryOutcomes(database, rules, actor.name),
      journal: memoryHomrJournal(database, rules, actor.name),
    }),
    keepLeases: (actor, leases) => memoryKeepLeases(database, actor.name, leases),
    letGo: (actor, lease) => memoryLetGo(database, rules, actor.name, lease),
    write: (writes, _run, id, key) => writes.write({ id, key }),
    countDocuments: async (runId) => database.documents.get(runId)?.length ?? 0,
    readMessages: async ({ id, state }) =>
      (database.runs.get(id)?.messages ?? [])
        .filter(({ consumedIteration }) => consumedIteration !== null && consumedIteration <= state.iteration)
        .map((message) => message.id),
    findRun: async (runId) => database.runs.get(runId)?.run ?? null,
    listRuns: async () => [...database.runs.values()].map(({ run }) => run),
    look: async () => database,
    giveUpOldCalls: (ageMs) => giveUpOldCalls(database, rules, ageMs),
    setClock: async () => {},
    onNotice: () => {},
  };
  database.onNotice = (notice) => backend.onNotice(notice);
  return backend;
}
