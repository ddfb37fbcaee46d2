// Writes the pages of docs/ that are made from the code; with --check it only looks whether they are up to date.

import { readFileSync, writeFileSync } from "node:fs";
import { renderCliReference } from "../src/cli/reference.ts";
import { renderConfigReference } from "../src/main/config-reference.ts";

const pages: Readonly<Record<string, () => string>> = {
  "docs/cli.md": renderCliReference,
  "docs/config.md": renderConfigReference,
};

const check = process.argv.includes("--check");

for (const [file, render] of Object.entries(pages)) {
  const address = new URL(`../${file}`, import.meta.url);
  const wanted = render();
  if (wanted === readIfThere(address)) continue;
  if (check) {
    process.stderr.write(`${file} is out of date: run npm run generate\n`);
    process.exitCode = 1;
  } else {
    writeFileSync(address, wanted);
    process.stdout.write(`wrote ${file}\n`);
  }
}

function readIfThere(address: URL): string | null {
  try {
    return readFileSync(address, "utf8");
  } catch {
    return null;
  }
}
