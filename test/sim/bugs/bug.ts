// What a planted bug is made of. Bugs live in the simulated world only: a rule answered wrongly, or something wrapped around
// the store, the queue, the commands or the engine.

import type { IterationInput, Journal } from "../../../src/runs/ports/engine.ts";
import type { RunTx } from "../../../src/runs/ports/run-store.ts";
import type { StoreBug } from "../memory/memory-backend.ts";
import type { MemoryDatabase } from "../memory/memory-database.ts";
import type { MemoryWrites } from "../memory/memory-journal-store.ts";
import { type Rules, rightRules } from "../memory/rules.ts";
import type { PlantedBug } from "../simulate.ts";

/** A question of the database answered wrongly. */
export const wrongRule = (
  name: string,
  rules: (right: Rules, database: MemoryDatabase) => Partial<Rules>,
): PlantedBug => ({ name, rules: (database) => rules(rightRules, database) });

type Later = (work: (tx: RunTx) => Promise<void>) => void;

/** Something in a transaction done wrongly; `later` happens in a transaction of its own, after this one. */
export const wrongTx = (
  name: string,
  change: (tx: RunTx, database: MemoryDatabase, later: Later) => Partial<RunTx>,
): PlantedBug => ({ name, store: changedTx(change) });

const changedTx =
  (change: (tx: RunTx, database: MemoryDatabase, later: Later) => Partial<RunTx>): NonNullable<StoreBug["store"]> =>
  (store, database) => ({
    ...store,
    transaction: async (work) => {
      const after: ((tx: RunTx) => Promise<void>)[] = [];
      const result = await store.transaction((tx) =>
        work({ ...tx, ...change(tx, database, (each) => void after.push(each)) }),
      );
      for (const each of after) await store.transaction(each);
      return result;
    },
  });

/** What a change of a run writes, changed before it is written. */
export const wrongSave = (
  name: string,
  change: (saved: Parameters<RunTx["save"]>[0], database: MemoryDatabase) => Parameters<RunTx["save"]>[0],
): PlantedBug => wrongTx(name, (tx, database) => ({ save: (saved) => tx.save(change(saved, database)) }));

type Changed = (journal: Journal<MemoryWrites>, input: IterationInput) => Partial<Journal<MemoryWrites>>;

/** The journal that an engine works through, changed. */
export const wrongJournal = (name: string, change: Changed): PlantedBug => ({
  name,
  engine: (engine) => ({
    ...engine,
    iterate: (input, journal) =>
      engine.iterate(input, {
        signal: journal.signal,
        has: (key) => journal.has(key),
        recall: (key) => journal.recall(key),
        hear: (...args) => journal.hear(...args),
        once: (...args) => journal.once(...args),
        write: (...args) => journal.write(...args),
        ask: (...args) => journal.ask(...args),
        effect: (...args) => journal.effect(...args),
        startOrAdopt: (...args) => journal.startOrAdopt(...args),
        ...change(journal, input),
      }),
  }),
});
