// `npm run words -- de`: what the translation into a language lacks, what in it does not fit and what nothing says any more.
// `--write` adds the missing texts to its files, empty, beside those of the same source; an empty text stays English.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { catalogueOf, type Side, sides } from "../src/words/sides.ts";
import { type Catalogue, judgeTranslation } from "../src/words/translation.ts";
import { gatherWords } from "./word-catalogues.ts";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const language = process.argv.slice(2).find((argument) => !argument.startsWith("-"));

if (language === undefined || !/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/.test(language) || language === "en") {
  process.stderr.write("Name a language other than English: npm run words -- de [--write]\n");
  process.exitCode = 2;
} else for (const side of sides) report(side, catalogueOf(side, language));

function report(side: Side, file: string): void {
  const catalogue = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Catalogue) : {};
  const { missing, wrong, unused } = judgeTranslation(gatherWords(side), catalogue);
  const count = Object.values(missing).flatMap(Object.keys).length;
  process.stdout.write(`${file}: ${count} missing, ${wrong.length} that do not fit, ${unused.length} unused\n`);
  for (const line of wrong) process.stdout.write(`  does not fit: ${line}\n`);
  for (const text of unused) process.stdout.write(`  unused: ${text}\n`);
  if (wrong.length > 0) process.exitCode = 1;
  if (process.argv.includes("--write")) writeFileSync(file, `${JSON.stringify(merge(catalogue, missing), null, 2)}\n`);
}

function merge(catalogue: Catalogue, missing: Catalogue): Catalogue {
  const files = [...new Set([...Object.keys(catalogue), ...Object.keys(missing)])].sort();
  return Object.fromEntries(files.map((file) => [file, { ...missing[file], ...catalogue[file] }]));
}
