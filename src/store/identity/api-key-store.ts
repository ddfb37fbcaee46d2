// API keys that the program itself made for commands on this machine. People's own keys are the sign-in library's.

import type { Tx } from "../../db/database.ts";

export async function forgetKeysNamed(tx: Tx, ownerId: string, name: string): Promise<void> {
  await tx.deleteFrom("auth_api_keys").where("reference_id", "=", ownerId).where("name", "=", name).execute();
}

export async function forgetKey(tx: Tx, keyId: string): Promise<void> {
  await tx.deleteFrom("auth_api_keys").where("id", "=", keyId).execute();
}
