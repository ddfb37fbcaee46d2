// The journal of a turn of HOMЯ: entries and ledger as every journal has them. No person talks to it in the middle of its work.

import type { Database, Tx } from "../../db/database.ts";
import type { HomrLease, JournalStore } from "../../runs/ports/run-store.ts";
import { holdTurn } from "./journal-owners.ts";
import { journalStore } from "./journal-store.ts";

export const homrJournalStore = (db: Database): JournalStore<Tx, HomrLease> => ({
  ...journalStore(db, holdTurn, () => {}),
  hear: async () => [],
});
