// A cluster is read only by the major version of PostgreSQL that made it.

import { readFileSync } from "node:fs";
import path from "node:path";
import { AppError } from "../../lib/app-error.ts";
import type { Binaries } from "./binaries.ts";
import type { OsUser } from "./os-user.ts";
import { run } from "./run.ts";

/** A folder without it is no cluster. */
export function versionFile(cluster: string): string {
  return path.join(cluster, "PG_VERSION");
}

export async function checkVersion(cluster: string, binaries: Binaries, user: OsUser | null): Promise<void> {
  const ofFolder = readFileSync(versionFile(cluster), "utf8").trim();
  const { output } = await run(binaries.postgres, ["-V"], { user, timeoutMs: 10_000 });
  const ofPrograms = /\d+/.exec(output)?.[0] ?? "unknown";
  if (ofFolder === ofPrograms) return;
  throw new AppError(
    "config_invalid",
    `The database in ${cluster} was made by PostgreSQL ${ofFolder}; this version of Homework brings PostgreSQL ${ofPrograms}, which cannot read it. Start the Homework version that made it, run "homework db dump FILE" with it, move the folder away, and run "homework db restore FILE" with this version. Or set DATABASE_URL to a PostgreSQL of your own.`,
    { details: { ofFolder, ofPrograms } },
  );
}
