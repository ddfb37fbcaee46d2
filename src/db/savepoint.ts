// Part of a transaction that can be taken back alone: after a failed statement PostgreSQL takes no other in that transaction,
// unless it goes back to before it. Must not decide what a failure means.

import { sql } from "kysely";
import type { Tx } from "./database.ts";

/** One of a name within another of that name is left before the other is gone back to. */
const name = sql.id("tool_write");

/** What `work` wrote stays only if it ends well and `isKept` says so; what it throws is thrown on. */
export async function inSavepoint<T>(tx: Tx, work: () => Promise<T>, isKept: (result: T) => boolean): Promise<T> {
  await sql`savepoint ${name}`.execute(tx);
  try {
    const result = await work();
    if (!isKept(result)) await sql`rollback to savepoint ${name}`.execute(tx);
    await sql`release savepoint ${name}`.execute(tx);
    return result;
  } catch (thrown) {
    // Where the connection is gone there is nothing to take back, and what was thrown first says more.
    await sql`rollback to savepoint ${name}`.execute(tx).catch(() => {});
    await sql`release savepoint ${name}`.execute(tx).catch(() => {});
    throw thrown;
  }
}
