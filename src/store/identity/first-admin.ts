// The first admin: who is there already, the local owner of the time before accounts, and who becomes admin. Of several who try at
// once only one does: each of them takes the lock on people first.

import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import type { Admin } from "../../domain/identity/bootstrap.ts";
import type { UserId } from "../../domain/identity/identity.ts";
import { findPerson, lockPeople, type Person } from "./user-store.ts";

export async function listAdmins(tx: Tx): Promise<readonly Admin[]> {
  const { rows } = await sql<Admin>`
    select u.is_local_owner as "isLocalOwner",
           exists (select from auth_accounts a where a.user_id = u.id and a.password is not null) as "hasPassword"
      from auth_users u where u.role = 'admin' and u.disabled_at is null order by u.created_at limit 100`.execute(tx);
  return rows;
}

export async function findLocalOwner(tx: Tx): Promise<Person | null> {
  const row = await tx.selectFrom("auth_users").select("id").where("is_local_owner", "=", true).executeTakeFirst();
  return row ? findPerson(tx, { id: row.id }) : null;
}

export async function markLocalOwner(tx: Tx, id: UserId): Promise<void> {
  await tx.updateTable("auth_users").set({ is_local_owner: true, role: "admin" }).where("id", "=", id).execute();
}

/** The operator vouches for the address: a login link for it takes nothing away. Whether it is this one who became admin. */
export async function promoteFirst(tx: Tx, id: string): Promise<boolean> {
  await lockPeople(tx);
  const { numAffectedRows } =
    await sql`update auth_users set role = 'admin', email_verified = true where id = ${id}::uuid
      and not exists (select from auth_users where role = 'admin')`.execute(tx);
  return numAffectedRows === 1n;
}

export type Claim = {
  readonly name: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly accountId: string;
};

/**
 * The local owner gets a name, an address and a password, and stays who they are: runs and projects are theirs as before.
 * False: the local owner has a password already or does not exist, or there is another admin.
 */
export async function claimLocalOwner(tx: Tx, { name, email, passwordHash, accountId }: Claim): Promise<boolean> {
  await lockPeople(tx);
  const { rows } = await sql<{ id: string }>`update auth_users u
      set name = ${name}, email = ${email.toLowerCase()}, email_verified = true, updated_at = now()
    where u.is_local_owner and u.disabled_at is null
      and not exists (select from auth_accounts a where a.user_id = u.id and a.password is not null)
      and not exists (select from auth_users other where other.role = 'admin' and other.id <> u.id)
    returning u.id`.execute(tx);
  const [owner] = rows;
  if (owner === undefined) return false;
  await sql`insert into auth_accounts (id, user_id, account_id, provider_id, password)
    values (${accountId}, ${owner.id}, ${owner.id}, 'credential', ${passwordHash})`.execute(tx);
  await tx.deleteFrom("auth_sessions").where("user_id", "=", owner.id).execute();
  return true;
}
