// An account whose address was never verified may have been signed up by a stranger. Once someone proves the address, whatever admitted
// the stranger goes. The library's own way of doing this writes an id that is no UUID.

import { type Kysely, sql } from "kysely";
import type { DB } from "../../db/schema.ts";

/** In one transaction: of several who follow a link at once only the first one takes anything away, and the others wait for it. */
export async function revokeUnproven(db: Kysely<DB>, email: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: string }>`update auth_users set email_verified = true, updated_at = now()
      where email = ${email.toLowerCase()} and not email_verified returning id`.execute(tx);
    for (const { id } of rows) {
      await tx.deleteFrom("auth_accounts").where("user_id", "=", id).execute();
      await tx.deleteFrom("auth_sessions").where("user_id", "=", id).execute();
      await tx.deleteFrom("auth_api_keys").where("reference_id", "=", id).execute();
    }
  });
}
