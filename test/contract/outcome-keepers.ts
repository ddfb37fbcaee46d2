// Whatever keeps outcomes, made ready for the suite of their port: PostgreSQL with its queue, and the memory of simulations.

import type { UserId } from "../../src/domain/identity/identity.ts";
import { realEnv } from "../../src/main/env.ts";
import type { OutcomeTransactions } from "../../src/outcomes/ports/outcome-store.ts";
import type { WorkQueue } from "../../src/queue/job-queue.ts";
import type { HomrLease, JournalStore, Lease } from "../../src/runs/ports/run-store.ts";
import { homrJournalStore } from "../../src/store/journal/homr-journal-store.ts";
import { outcomeStore } from "../../src/store/outcome/outcome-store.ts";
import { runWorld } from "../helpers/run-world.ts";
import { quiet } from "../sim/faults.ts";
import { memoryBackend } from "../sim/memory/memory-backend.ts";
import { memoryHomrJournal } from "../sim/memory/memory-homr-journal.ts";
import { memoryOutcomes } from "../sim/memory/memory-outcome-tx.ts";
import { rightRules } from "../sim/memory/rules.ts";
import { World } from "../sim/world.ts";

export type OutcomeKeeper = {
  readonly user: UserId;
  readonly store: OutcomeTransactions;
  readonly journal: Pick<JournalStore<never, HomrLease>, "recordEntry" | "reserveCall" | "settleCall">;
  readonly runJournal: Pick<JournalStore<never, Lease>, "reserveCall" | "settleCall">;
  readonly queue: Pick<WorkQueue, "fetch" | "release">;
};

export async function keepOutcomesInPostgres(): Promise<() => Promise<OutcomeKeeper>> {
  const world = await runWorld(1_000);
  return async () => ({
    user: await world.makeUser(),
    store: outcomeStore(world.db, world.queue),
    journal: homrJournalStore(world.db),
    runJournal: world.store,
    queue: world.queue,
  });
}

export async function keepOutcomesInMemory(): Promise<OutcomeKeeper> {
  const world = new World({ seed: 1, hasJitter: false, faults: () => quiet() });
  const backend = memoryBackend(world);
  const actor = world.makeActor("worker");
  return {
    user: realEnv.newId() as UserId,
    store: memoryOutcomes(backend.database, rightRules, actor.name),
    journal: memoryHomrJournal(backend.database, rightRules, actor.name),
    runJournal: backend.storeFor(actor),
    queue: backend.queueFor(actor),
  };
}
