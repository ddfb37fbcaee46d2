// The types of our tables, made from a migrated database by kysely-codegen. src/db/schema.ts is this, checked in.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";

const require = createRequire(import.meta.url);
const header =
  "// The types of our tables, made from a migrated database by `npm run generate`. Not edited by hand.\n\n";

export function renderSchemaTypes(adminUrl: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), "homework-schema-"));
  const file = path.join(folder, "schema.ts");
  const codegen = path.join(path.dirname(require.resolve("kysely-codegen/package.json")), "dist/cli/bin.js");
  const options = ["--dialect", "postgres", "--default-schema", "homework", "--include-pattern", "homework.*"];
  // Times stay text (src/db/database.ts).
  const types = ["--type-mapping", JSON.stringify({ timestamptz: "string" })];
  try {
    execFileSync(process.execPath, [codegen, ...options, ...types, "--url", adminUrl, "--out-file", file], {
      stdio: "pipe",
    });
    const made = readFileSync(file, "utf8").replace(/^\/\*\*[\s\S]*?\*\/\n+/, header);
    const biome = require.resolve("@biomejs/biome/bin/biome");
    const format = ["format", "--stdin-file-path=src/db/schema.ts"];
    return execFileSync(process.execPath, [biome, ...format], { input: made, encoding: "utf8" });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
