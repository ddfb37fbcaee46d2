// Part of `npm run check`: every package is pinned by a hash, and none that users get has a fault of high or critical severity that
// the registry knows of. Not every registry answers that question: then it says so, and that it was not asked.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runCaptured } from "../test/helpers/programs.ts";
import { judgeAudit, judgeLock } from "./judge-packages.ts";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const unpinned = judgeLock(readFileSync("package-lock.json", "utf8"));
for (const name of unpinned) process.stdout.write(`${name}: package-lock.json has no SHA-512 of it\n`);

const quick = ["--fetch-retries=0", "--fetch-timeout=15000"];
const { output } = await runCaptured("npm", ["audit", "--json", "--omit=dev", ...quick], process.env);
const { faults, note } = judgeAudit(output);
for (const fault of faults) process.stdout.write(`${fault}\n`);
if (note !== null) process.stdout.write(`note: ${note}\n`);
if (unpinned.length + faults.length > 0) process.exitCode = 1;
