// Folders, openers and databases for the tests of the embedded database, and their end: nothing of them stays.

import { type ChildProcess, execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { packagedBinaries } from "../../src/db/embedded/binaries.ts";
import type { EmbeddedCluster, EmbeddedOptions } from "../../src/db/embedded/embedded-cluster.ts";
import { serverProcesses } from "../../src/db/embedded/find-postmaster.ts";
import { openEmbedded } from "../../src/db/embedded/open-embedded.ts";
import { stopEmbedded } from "../../src/db/embedded/stop-embedded.ts";
import { signal } from "../../src/files/process-identity.ts";
import { silentLogger } from "../../src/lib/logger.ts";
import { realEnv } from "./embedded-env.ts";
import type { OpenerNews, OpenerOrder } from "./embedded-opener.ts";

export const isRoot = process.getuid?.() === 0;
/** Nothing of these tests has to survive a power failure. */
const settings = { fsync: "off", shared_buffers: "16MB" };

const folders: string[] = [];
const openers: ChildProcess[] = [];
const clusters = new Set<EmbeddedCluster>();

/** A folder that the database's user can pass through, unless closed. */
export function makeFolder(mode = 0o711): string {
  const folder = mkdtempSync(path.join(realpathSync(os.tmpdir()), "homework-embedded-"));
  chmodSync(folder, mode);
  folders.push(folder);
  return folder;
}

/** A data folder with a stopped cluster in it that says "kept"; stays until `removeDatabase`. */
export async function makeDatabase(): Promise<string> {
  const dataDir = makeFolder();
  const cluster = await open(dataDir);
  await query(cluster.adminUrl, "create table note (words text); insert into note values ('kept')");
  await cluster.release();
  // Only now: if making it failed, `removeDatabase` has no name for it and cleans it up with the rest.
  folders.splice(folders.indexOf(dataDir), 1);
  return dataDir;
}

export async function removeDatabase(dataDir: string): Promise<void> {
  await cleanUp();
  if (dataDir !== "") await removeFolder(dataDir);
}

/** For tests that spoil the cluster; the others share theirs, one after the other. */
export function copyOf(dataDir: string): string {
  const folder = makeFolder();
  execFileSync("cp", ["-a", `${dataDir}/.`, folder]);
  return folder;
}

export type Opened = EmbeddedCluster & { readonly said: readonly string[] };

export async function open(dataDir: string, more: Partial<EmbeddedOptions> = {}): Promise<Opened> {
  const said: string[] = [];
  const say = (line: string) => said.push(line);
  const platform = { uid: process.getuid?.(), pid: process.pid };
  const cluster = await openEmbedded({ dataDir, env: realEnv, logger: silentLogger, say, settings, platform, ...more });
  clusters.add(cluster);
  return Object.assign(cluster, { said });
}

export type Opener = {
  readonly pid: number;
  readonly opened: Promise<Extract<OpenerNews, { type: "opened" }>["infos"]>;
  readonly release: () => Promise<void>;
  readonly kill: () => Promise<void>;
};

/** Another process of ours; `asUser` only where we are root. */
export function startOpener(
  order: Partial<OpenerOrder> & { dataDir: string },
  asUser?: { uid: number; gid: number },
): Opener {
  const child = fork(path.join(import.meta.dirname, "embedded-opener.ts"), [], {
    execArgv: [],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    ...asUser,
  });
  openers.push(child);
  child.send({ times: 1, settings, ...order } satisfies OpenerOrder);
  const exit = once(child, "exit");
  const died = exit.then((): OpenerNews[] => [{ type: "failed", message: "the opener ended before it said anything" }]);
  const opened = Promise.race([once(child, "message"), died]).then(([news]: OpenerNews[]) => {
    if (news?.type !== "opened") throw new Error(news?.message ?? "the opener said nothing");
    return news.infos;
  });
  // A test that kills the opener does not wait for its news.
  opened.catch(() => {});
  const endBy = async (end: () => void) => {
    end();
    await exit;
  };
  return {
    pid: child.pid ?? 0,
    opened,
    release: () => endBy(() => child.send("release")),
    kill: () => endBy(() => child.kill("SIGKILL")),
  };
}

export async function query(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client(url);
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Call it after each test: ends what the test left, by pid, and removes its folders. */
export async function cleanUp(): Promise<void> {
  for (const opener of openers.splice(0)) await end(opener);
  for (const cluster of clusters) await cluster.release().catch(() => {});
  clusters.clear();
  for (const folder of folders.splice(0)) {
    if (existsSync(folder)) await removeFolder(folder);
  }
}

async function end(opener: ChildProcess): Promise<void> {
  if (opener.exitCode !== null || opener.signalCode !== null) return;
  const exit = once(opener, "exit");
  opener.kill("SIGKILL");
  await exit;
}

async function removeFolder(folder: string): Promise<void> {
  await stopEmbedded(folder, realEnv).catch(() => {});
  for (const server of serverProcesses(path.join(folder, "postgres")) ?? []) signal(server, "SIGKILL");
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

/** The programs as npm --ignore-scripts leaves them: without the links between the libraries. */
export function copyPrograms(folder: string): string {
  const native = path.join(folder, "package", "native");
  mkdirSync(path.dirname(native), { recursive: true });
  try {
    // Hard links are as good as a copy and take no time, but only within one disk.
    execFileSync("cp", ["-al", packagedBinaries(), native], { stdio: "ignore" });
  } catch {
    // What it had made by then would be copied into.
    rmSync(native, { recursive: true, force: true });
    execFileSync("cp", ["-a", packagedBinaries(), native]);
  }
  for (const name of readdirSync(path.join(native, "lib"))) {
    const file = path.join(native, "lib", name);
    if (lstatSync(file).isSymbolicLink()) rmSync(file);
  }
  return native;
}
