// The web pages as files: whether they have to be built, and building them with Vite.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { WebPort } from "../cli/ports.ts";
import { AppError } from "../lib/app-error.ts";

/** The folder this program lies in. */
export const home = fileURLToPath(new URL("../..", import.meta.url));
const webFolder = path.join(home, "web");
const built = path.join(webFolder, "dist", "index.html");
/** What the pages are made of; they may import the wire contract and what it stands on. */
const sources = [
  "web/index.html",
  "web/package.json",
  "web/vite.config.ts",
  "web/build",
  "web/src",
  "src/protocol",
  "src/domain",
  "src/lib",
];

/** Where the built pages lie, or null where there are none. */
export function builtPages(): string | null {
  return existsSync(built) ? path.dirname(built) : null;
}

export const webPages: WebPort = {
  isBuilt: () => builtPages() !== null,
  canBuild: () => findVite() !== null,
  whyStale: async () => {
    const builtMs = await changedMs(built);
    if (builtMs === null) return "they have not been built yet";
    const newest = await newestIn(sources.map((name) => path.join(home, name)));
    return newest > builtMs ? "their sources have changed" : null;
  },
  build: async (signal) => {
    const [code] = await once(startBuild([], signal), "exit");
    if (code !== 0) throw new AppError("internal", `The web pages could not be built (vite ended with ${code})`);
  },
};

const noTools = "What the web pages are built with is not installed: run `npm ci` in the Homework folder";

/** Null where it is not installed. */
function findVite(): string | null {
  try {
    const vite = createRequire(path.join(webFolder, "package.json")).resolve("vite/package.json");
    return path.join(path.dirname(vite), "bin", "vite.js");
  } catch {
    return null;
  }
}

/** Builds the pages with Vite, whose own words go to stderr: stdout is for data. */
export function startBuild(args: readonly string[], signal?: AbortSignal): ChildProcess {
  const command = findVite();
  if (command === null) throw new AppError("internal", noTools);
  return spawn(process.execPath, [command, "build", ...args, "--logLevel", "warn"], {
    cwd: webFolder,
    stdio: ["ignore", 2, 2],
    signal,
  });
}

async function newestIn(paths: readonly string[]): Promise<number> {
  const times = await Promise.all(paths.map(newestBelow));
  return Math.max(0, ...times);
}

async function newestBelow(file: string): Promise<number> {
  const found = await stat(file).catch(() => null);
  if (found === null) return 0;
  if (!found.isDirectory()) return isTest(file) ? 0 : found.mtimeMs;
  const names = await readdir(file);
  return newestIn(names.map((name) => path.join(file, name)));
}

/** Changing a test does not change a page. */
function isTest(file: string): boolean {
  return /\.test\.tsx?$/.test(file);
}

async function changedMs(file: string): Promise<number | null> {
  return (await stat(file).catch(() => null))?.mtimeMs ?? null;
}
