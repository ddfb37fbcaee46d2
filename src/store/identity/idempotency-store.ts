// Creates once per key: the key and the answer are written in the transaction that creates.

import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import { AppError } from "../../lib/app-error.ts";

export type OnceKey = {
  readonly userId: string;
  readonly key: string;
  readonly requestHash: string;
  /** The answer holds a secret: it is not stored, and the same request again is told that it was answered. */
  readonly isSecret: boolean;
};

/**
 * Runs `create`, or returns what it answered the first time. Of two requests at once the second waits at the insert
 * until the first commits (then it gets that answer) or fails (then it creates itself).
 */
export async function createOnce<T>(tx: Tx, once: OnceKey, create: () => Promise<T>): Promise<T> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("idempotency_keys")
    .values({ user_id: once.userId, key: once.key, request_hash: once.requestHash })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n) return replay<T>(tx, once);
  const created = await create();
  if (once.isSecret) return created;
  await tx
    .updateTable("idempotency_keys")
    .set({ response: JSON.stringify(created) })
    .where("user_id", "=", once.userId)
    .where("key", "=", once.key)
    .execute();
  return created;
}

async function replay<T>(tx: Tx, once: OnceKey): Promise<T> {
  const found = await tx
    .selectFrom("idempotency_keys")
    .select(["request_hash", "response"])
    .where("user_id", "=", once.userId)
    .where("key", "=", once.key)
    .executeTakeFirst();
  if (found?.request_hash !== once.requestHash)
    throw new AppError("idempotency_mismatch", "This Idempotency-Key was used for a different request");
  if (found.response === null)
    throw new AppError("already_exists", "This was created already; its answer is shown only once");
  return found.response as T;
}

/** Old enough that no client still tries the same request again. */
export async function forgetOldKeys(tx: Tx, hours: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("idempotency_keys")
    .where("created_at", "<", sql<string>`now() - make_interval(hours => ${hours})`)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
