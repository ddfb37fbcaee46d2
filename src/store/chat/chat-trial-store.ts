// Trying a write of a conversation: done in the user's transaction, looked at, and taken back. While it is tried it carries the
// conversation's id where a run's would stand, so that its lines of the history can be told from others; nothing of that stays.

import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import type { StagedChange } from "../../domain/change-set/staged-write.ts";
import { changesSince, inTrial, markHistory } from "../change/trial-store.ts";

export type Tried<T> = { readonly result: T; readonly changes: readonly StagedChange[] };

/**
 * Each on top of those before it, as they will be carried out; at the end all of them are taken back. `isDone` says whether a
 * result means that something was written.
 */
export async function tryInOrder<T>(
  tx: Tx,
  chatId: string,
  writes: readonly (() => Promise<T>)[],
  isDone: (result: T) => boolean,
): Promise<readonly Tried<T>[]> {
  await sql`select set_config('app.run_id', ${chatId}, true)`.execute(tx);
  const tried = await inTrial(tx, async () => {
    const results: Tried<T>[] = [];
    for (const write of writes) {
      const mark = await markHistory(tx);
      const result = await write();
      results.push({ result, changes: isDone(result) ? await changesSince(tx, mark) : [] });
    }
    return results;
  });
  await sql`select set_config('app.run_id', '', true)`.execute(tx);
  return tried;
}
