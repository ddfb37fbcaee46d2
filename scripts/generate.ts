// Writes the files that are made from the code: pages of docs/ and the types of our tables.
// Whether they are up to date is checked by test/contract/generated.test.ts.

import { readFileSync, writeFileSync } from "node:fs";
import { migrateTemplate } from "../test/helpers/template-database.ts";
import { startThrowAwayPostgres } from "../test/helpers/throw-away-postgres.ts";
import { generatedPages } from "./generated-pages.ts";
import { renderSchemaTypes } from "./schema-types.ts";

for (const [file, render] of Object.entries(generatedPages)) write(file, render());

const server = await startThrowAwayPostgres();
try {
  await migrateTemplate(server.adminUrl);
  write("src/db/schema.ts", renderSchemaTypes(server.adminUrl));
} finally {
  await server.stop();
}

function write(file: string, wanted: string): void {
  const address = new URL(`../${file}`, import.meta.url);
  if (wanted === readIfThere(address)) return;
  writeFileSync(address, wanted);
  process.stdout.write(`wrote ${file}\n`);
}

function readIfThere(address: URL): string | null {
  try {
    return readFileSync(address, "utf8");
  } catch {
    return null;
  }
}
