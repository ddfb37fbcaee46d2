// The journal of a conversation: entries and ledger as every journal has them. Nothing is heard in the middle of an answer, since
// the next message of the user waits for its end.

import type { Database, Tx } from "../../db/database.ts";
import type { ChatLease, JournalStore } from "../../runs/ports/run-store.ts";
import { holdChat } from "./journal-owners.ts";
import { journalStore } from "./journal-store.ts";

export const chatJournalStore = (db: Database): JournalStore<Tx, ChatLease> => ({
  ...journalStore(db, holdChat, () => {}),
  hear: async () => [],
});
