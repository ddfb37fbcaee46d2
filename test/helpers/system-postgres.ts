// Where Debian and its relatives keep the programs of a PostgreSQL server.

import { existsSync, readdirSync } from "node:fs";
import path from "node:path";

/** The oldest version we promise to work with. */
const oldestMajor = 15;
const debianRoot = "/usr/lib/postgresql";

/** The oldest PostgreSQL installed here that we support: with the newest tested by the embedded one, both ends are. */
export function systemBinDir(): string | undefined {
  if (!existsSync(debianRoot)) return undefined;
  const found = readdirSync(debianRoot)
    .map(Number)
    .filter((major) => major >= oldestMajor)
    .sort((a, b) => a - b)
    .map((major) => path.join(debianRoot, String(major), "bin"));
  return found.find((binDir) => existsSync(path.join(binDir, "postgres")) && existsSync(path.join(binDir, "initdb")));
}
