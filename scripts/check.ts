// `npm run check`: types, style, packages, unused code and tidiness, all at once; seconds. Says what is wrong, and what it could not look at.

import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { runCaptured } from "../test/helpers/programs.ts";
import { vitestProgram } from "../test/helpers/vitest-run.ts";

type Check = { readonly name: string; readonly command: string; readonly args: readonly string[] };

const bin = (name: string): string => path.join("node_modules", ".bin", name);

/** One checker each: several look at the same types again, and the other checks keep the other core busy. */
const tscArgs = ["--noEmit", "--pretty", "false", "--checkers", "1"];

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const checks: readonly Check[] = [
  { name: "style (biome)", command: bin("biome"), args: ["check", "--colors=off"] },
  { name: "types (tsc)", command: bin("tsc"), args: tscArgs },
  ...(existsSync("web/tsconfig.json")
    ? [{ name: "types of the pages (tsc)", command: bin("tsc"), args: [...tscArgs, "-p", "web"] }]
    : []),
  { name: "packages (hashes, npm audit)", command: process.execPath, args: ["scripts/check-packages.ts"] },
  { name: "unused code (knip)", command: bin("knip"), args: ["--no-progress", "--no-config-hints"] },
  // `npm test` leaves it to the test run, which has it anyway.
  ...(process.argv.includes("--without-tidy")
    ? []
    : [
        {
          name: "tidiness (test/tidy.test.ts)",
          command: process.execPath,
          args: [vitestProgram, "run", "--project", "unit", "--reporter=dot", "test/tidy.test.ts"],
        },
      ]),
];

const results = await Promise.all(checks.map(run));
const failed = results.filter(({ code }) => code !== 0);
for (const { name, output } of failed) process.stdout.write(`\n──── ${name}\n${output.trim()}\n`);
if (failed.length > 0) {
  process.stdout.write(`\nFailed: ${failed.map(({ name }) => name).join(", ")}\n`);
  process.exitCode = 1;
}

async function run(check: Check): Promise<{ name: string; code: number; output: string }> {
  const startedAt = Date.now();
  const { code, output } = await runCaptured(check.command, check.args, { ...process.env, NO_COLOR: "1" });
  const took = ((Date.now() - startedAt) / 1_000).toFixed(1);
  process.stdout.write(`    ${code === 0 ? "ok    " : "FAILED"}  ${check.name}, ${took} s\n`);
  for (const note of output.match(/^note: .*$/gm) ?? []) process.stdout.write(`            ${note}\n`);
  return { name: check.name, code, output };
}
