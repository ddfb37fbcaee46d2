// The one person of a local installation: made at the first start, signed in by a one-time link.

import { createHash } from "node:crypto";
import { hostname } from "node:os";
import type { Database } from "../db/database.ts";
import type { Auth } from "../server/auth.ts";
import { forgetKeysNamed } from "../store/identity/api-key-store.ts";
import { findLocalOwner, markLocalOwner } from "../store/identity/first-admin.ts";
import { findPerson, type Person } from "../store/identity/user-store.ts";

const email = "owner@homework.local";

/** Also one who has signed in with an address of their own since: turning accounts off and on loses nothing. */
export async function ensureOwner(db: Database, auth: Auth): Promise<Person> {
  const found = await db.asSystem(findLocalOwner);
  if (found) return found;
  const { internalAdapter } = await auth.context;
  await internalAdapter
    .createUser({ email, name: "Owner", emailVerified: true, role: "admin" }, { method: "magic-link" })
    .catch((error: unknown) => {
      // Another process of ours made it at the same moment; then it is found below.
      return error;
    });
  return db.asSystem(async (tx) => {
    const owner = await findPerson(tx, { email });
    if (!owner) throw new Error("bug: the local owner could not be made");
    await markLocalOwner(tx, owner.id);
    return { ...owner, role: "admin" };
  });
}

/** The key of commands on this machine: each start of a server makes one and forgets that of the start before. */
export async function commandsKey(db: Database, auth: Auth, ownerId: string, data: string): Promise<string> {
  const name = `commands on ${hostname()}`.slice(0, 23) + createHash("sha256").update(data).digest("hex").slice(0, 8);
  await db.asSystem((tx) => forgetKeysNamed(tx, ownerId, name));
  const { key } = await auth.createKey(ownerId, { name, scopes: ["admin"], expiresInDays: null });
  return key;
}
