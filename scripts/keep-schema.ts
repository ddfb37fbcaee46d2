// Keeps the migrations of this version as a fixture that upgrades are tested from. Once for each release: `node scripts/keep-schema.ts`.

import { writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { knownMigrations, newestVersion } from "../src/db/migrate.ts";

const file = `test/released/schema-${newestVersion()}.json.gz`;
writeFileSync(file, gzipSync(JSON.stringify(knownMigrations())), { flag: "wx" });
process.stdout.write(`${file}\n`);
