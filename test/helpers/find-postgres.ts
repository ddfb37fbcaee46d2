// The second PostgreSQL: our tests run on the embedded one and on one such as users run themselves.

import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { aptInstall, canInstall } from "./apt.ts";
import { systemBinDir } from "./system-postgres.ts";

export type SecondPostgres = {
  /** What the tests are told, in their environment. */
  readonly env: { readonly TEST_DATABASE_URL: string } | { readonly TEST_POSTGRES_BIN: string };
  readonly name: string;
};

export async function obtainPostgres(): Promise<SecondPostgres | undefined> {
  const url = process.env.TEST_DATABASE_URL;
  if (url) return { env: { TEST_DATABASE_URL: url }, name: `the server at ${new URL(url).host} (TEST_DATABASE_URL)` };
  const here = systemBinDir();
  if (here) return { env: { TEST_POSTGRES_BIN: here }, name: here };
  if (!canInstall()) return undefined;
  keepDebianFromStartingOne();
  if (!(await aptInstall("postgresql-15"))) await aptInstall("postgresql");
  const installed = systemBinDir();
  return installed ? { env: { TEST_POSTGRES_BIN: installed }, name: `${installed} (apt-get)` } : undefined;
}

/** Debian's package makes and starts a server of its own; we want only the programs. */
function keepDebianFromStartingOne(): void {
  const folder = "/etc/postgresql-common";
  const file = `${folder}/createcluster.conf`;
  if (existsSync(file)) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, "create_main_cluster = false\n");
}
