// Which schema the database has.

import type { Tx } from "../db/database.ts";

export async function schemaVersion(tx: Tx): Promise<number> {
  const row = await tx
    .selectFrom("schema_migrations")
    .select((select) => select.fn.max("version").as("version"))
    .executeTakeFirst();
  return Number(row?.version ?? 0);
}
