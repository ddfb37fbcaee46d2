// `npm run bench -- --write`: each bench in a process of its own, its figures into docs/performance.md as soon as it has ended. Begun
// again at the same commit, it leaves out those that are there.

import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type Figures, type Measured, readReports, resumeFigures, withFigures } from "./figures-page.ts";

const keptAt = "node_modules/.cache/bench-figures.json";
const page = "docs/performance.md";

export async function writeFigures(names: readonly string[], machine: string): Promise<void> {
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
  const date = new Date().toISOString().slice(0, 10);
  let figures = resumeFigures(readKept(), { commit, date, machine });
  for (const name of names) {
    if (Object.hasOwn(figures.benches, name)) {
      process.stdout.write(`${name}: measured at this commit already\n`);
      continue;
    }
    figures = { ...figures, benches: { ...figures.benches, [name]: await measure(name) } };
    mkdirSync(dirname(keptAt), { recursive: true });
    writeFileSync(keptAt, JSON.stringify(figures));
    writeFileSync(page, withFigures(readFileSync(page, "utf8"), figures));
  }
}

function readKept(): Figures | null {
  try {
    return JSON.parse(readFileSync(keptAt, "utf8")) as Figures;
  } catch {
    return null;
  }
}

async function measure(name: string): Promise<Measured> {
  const began = performance.now();
  const bench = spawn(process.execPath, ["bench/main.ts", name], { stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  bench.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
    process.stdout.write(text);
  });
  const code = await new Promise<number | null>((resolve) => bench.once("close", resolve));
  const reports = readReports(printed);
  // Nothing to write down: the next time it is measured again.
  if (code !== 0 && Object.keys(reports).length === 0)
    throw new Error(`bench ${name} ended with ${code} and no figure`);
  return { seconds: (performance.now() - began) / 1_000, isMissed: code !== 0, reports };
}
