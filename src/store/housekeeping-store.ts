// Rows that have had their day. Only the platform's role may delete them.

import { sql } from "kysely";
import type { Tx } from "../db/database.ts";
import { entityKinds, kindSpecs } from "../domain/entity/kinds.ts";

/** How many rows one round may delete, so that none holds its locks for long. */
const rowsPerRound = 1_000;

/** Sessions and one-time links that ended more than a day ago. */
export async function forgetEndedSessions(tx: Tx): Promise<number> {
  const ended = sql<string>`now() - interval '1 day'`;
  const sessions = await tx.deleteFrom("auth_sessions").where("expires_at", "<", ended).executeTakeFirst();
  const links = await tx.deleteFrom("auth_verifications").where("expires_at", "<", ended).executeTakeFirst();
  return Number(sessions.numDeletedRows + links.numDeletedRows);
}

/** Things that lay in the bin for `days`; their history stays, so undo can still tell what they were. */
export async function emptyBin(tx: Tx, days: number): Promise<number> {
  let deleted = 0;
  for (const kind of entityKinds) {
    const table = sql.table(kindSpecs[kind].table);
    const { numAffectedRows } = await sql`
      delete from ${table} where id in (
        select id from ${table} where deleted_at < now() - make_interval(days => ${days}) limit ${rowsPerRound})`.execute(
      tx,
    );
    deleted += Number(numAffectedRows ?? 0n);
  }
  await sql`delete from onto_edges where deleted_at < now() - make_interval(days => ${days})`.execute(tx);
  return deleted;
}

/** What live streams are fed from. Always the beginning, so that what is left has no gap; the numbers go on. */
async function forgetBeginnings(tx: Tx, table: string, owner: string, days: number): Promise<number> {
  const [events, whose] = [sql.table(table), sql.ref(owner)];
  const { numAffectedRows } = await sql`
    delete from ${events} e using (
      select ${whose} as owner, max(seq) as up_to from ${events}
       where created_at < run_now() - make_interval(days => ${days}) group by ${whose}) as old
     where e.${whose} = old.owner and e.seq <= old.up_to`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

export const forgetOldFeed = (tx: Tx, days: number) => forgetBeginnings(tx, "user_feed_events", "user_id", days);
export const forgetOldChatEvents = (tx: Tx, days: number) => forgetBeginnings(tx, "chat_events", "session_id", days);
