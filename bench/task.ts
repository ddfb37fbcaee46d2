// How long a whole task of `run-agent` takes, from the command to its end, with a program as the agent and no database: beside a Node that
// does nothing, in the same minute. As people call it (`npx run-agent`) and without npm, with and without what was compiled before.

import { type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { makeFolder, removeFolders } from "../test/helpers/runner-root.ts";
import { type Figures, figuresOf, msText, ratio, report } from "./figures.ts";

const home = fileURLToPath(new URL("..", import.meta.url));
const program = path.join(home, "bin", "run-agent.js");
const rounds = 10;

/** `caches`: false removes what was compiled before, as after an installation without scripts. */
type Way = { readonly file: string; readonly args: readonly string[]; readonly caches: boolean };

export async function benchTask(): Promise<void> {
  const folder = makeFolder();
  const cache = path.join(home, "node_modules", ".cache", "compiled");
  const agent = path.join(folder, "agent.sh");
  writeFileSync(agent, '#!/bin/sh\ncat > /dev/null\necho done\ntouch "$JRUN_TASK_FOLDER/DONE"\n', { mode: 0o755 });
  const task = ["task", "--quiet", "-p", "bench", "--command", agent, "Water the plants"];
  const ways: Readonly<Record<string, Way>> = {
    "node -e 0": { file: process.execPath, args: ["-e", "0"], caches: true },
    "run-agent --version": { file: process.execPath, args: [program, "--version"], caches: true },
    "run-agent task": { file: process.execPath, args: [program, ...task], caches: true },
    "run-agent task, nothing compiled": { file: process.execPath, args: [program, ...task], caches: false },
    "npx --version": { file: "npx", args: ["--version"], caches: true },
    "npx run-agent task": { file: "npx", args: ["run-agent", ...task], caches: true },
  };
  const times: Record<string, number[]> = {};
  try {
    // Side by side, so that other work on the machine slows all of them; the first round fills the caches.
    for (let round = 0; round <= rounds; round++)
      for (const [name, way] of Object.entries(ways)) {
        if (!way.caches) rmSync(cache, { recursive: true, force: true });
        const ms = await time(way, makeOptions(path.join(folder, `${round}-${name.replaceAll(/\W+/g, "-")}`)));
        if (round > 0) times[name] = [...(times[name] ?? []), ms];
      }
    tell(Object.fromEntries(Object.entries(times).map(([name, each]) => [name, figuresOf(each)])));
  } finally {
    removeFolders();
  }
}

function makeOptions(place: string): SpawnOptions {
  mkdirSync(place);
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: place,
    npm_config_update_notifier: "false",
  };
  return { cwd: home, env, stdio: ["ignore", "ignore", "inherit"] };
}

async function time({ file, args }: Way, options: SpawnOptions): Promise<number> {
  const began = performance.now();
  const [code] = await once(spawn(file, args, options), "exit");
  if (code !== 0) throw new Error(`${[file, ...args].join(" ")} ended with ${code}`);
  return performance.now() - began;
}

function tell(figures: Readonly<Record<string, Figures>>): void {
  const of = (name: string) => figures[name]?.p50 ?? Number.NaN;
  report("task", {
    ...Object.fromEntries(Object.entries(figures).map(([name, each]) => [name, msText(each)])),
    "run-agent task beside node -e 0": ratio(of("run-agent task"), of("node -e 0")),
    "nothing compiled beside node -e 0": ratio(of("run-agent task, nothing compiled"), of("node -e 0")),
    "npx run-agent task beside node -e 0": ratio(of("npx run-agent task"), of("node -e 0")),
    "of which npx itself": ratio(of("npx --version"), of("node -e 0")),
  });
}
