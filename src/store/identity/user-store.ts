// The people of an installation, as those who manage it see them (platform's role). Signing in is server/auth.ts.

import { type InferResult, sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import type { Page } from "../../domain/entity/entity.ts";
import { type InstanceRole, instanceRoles, type UserId } from "../../domain/identity/identity.ts";
import { AppError } from "../../lib/app-error.ts";
import { decodeCursor, isPast, type PageQuery, toPage } from "../cursor.ts";
import { camelCased } from "../row.ts";

export type Person = {
  readonly id: UserId;
  readonly name: string;
  readonly email: string;
  readonly role: InstanceRole;
  readonly disabled: boolean;
  readonly createdAt: string;
};

const role = z.enum(instanceRoles);

const selectPeople = (tx: Tx) =>
  tx.selectFrom("auth_users").select(["id", "name", "email", "role", "disabled_at", "created_at"]);

type Row = InferResult<ReturnType<typeof selectPeople>>[number];

function toPerson({ disabled_at: disabledAt, ...row }: Row): Person {
  return { ...camelCased(row), id: row.id as UserId, role: role.parse(row.role), disabled: disabledAt !== null };
}

/** Oldest first. */
export async function listPeople(tx: Tx, page: PageQuery): Promise<Page<Person>> {
  const after = decodeCursor("people", "time", page.cursor);
  const rows = await selectPeople(tx)
    .where(isPast(after, "created_at", "id", ">"))
    .orderBy("created_at")
    .orderBy("id")
    .limit(page.limit + 1)
    .execute();
  return toPage("people", rows.map(toPerson), page.limit, ({ createdAt, id }) => [createdAt, id]);
}

export async function findPerson(
  tx: Tx,
  by: { readonly id: string } | { readonly email: string },
): Promise<Person | null> {
  const query =
    "id" in by
      ? selectPeople(tx).where("id", "=", by.id)
      : selectPeople(tx).where("email", "=", by.email.toLowerCase());
  const row = await query.executeTakeFirst();
  return row ? toPerson(row) : null;
}

/** One at a time: who is admin, and who may still sign in, is decided by looking at all of them. */
export async function lockPeople(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('homework.people', 0))`.execute(tx);
}

export type PersonChange = { readonly role?: InstanceRole | undefined; readonly disabled?: boolean | undefined };

/** Shutting an account ends its sessions and keys in the same transaction. Someone who manages always remains. */
export async function changePerson(tx: Tx, id: string, change: PersonChange): Promise<Person | null> {
  await lockPeople(tx);
  const set = {
    ...(change.role ? { role: change.role } : {}),
    ...(change.disabled === undefined ? {} : { disabled_at: change.disabled ? sql<string>`now()` : null }),
    updated_at: sql<string>`now()`,
  };
  await tx.updateTable("auth_users").set(set).where("id", "=", id).execute();
  if (change.disabled) {
    await tx.deleteFrom("auth_sessions").where("user_id", "=", id).execute();
    await tx.deleteFrom("auth_api_keys").where("reference_id", "=", id).execute();
  }
  const managers = await tx
    .selectFrom("auth_users")
    .select("id")
    .where("role", "=", "admin")
    .where("disabled_at", "is", null)
    .limit(1)
    .execute();
  if (managers.length === 0)
    throw new AppError("last_owner", "Someone has to manage this installation: name another first");
  return findPerson(tx, { id });
}
