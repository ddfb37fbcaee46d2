// A PostgreSQL cluster for one test run: made in the temporary folder from the given binaries, gone afterwards.
// Works the same with the binaries npm brings and with those of the system; speed is bought with durability.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { packagedBinaries, usableBinaries } from "../../src/db/embedded/binaries.ts";
import { chooseOsUser, type OsUser } from "../../src/db/embedded/os-user.ts";
import { patienceMs } from "./patience.ts";

const run = promisify(execFile);

export type ThrowAwayPostgres = {
  /** The superuser's address of the maintenance database. */
  readonly adminUrl: string;
  /** Stops the server and removes its folder, or keeps the folder and returns where it is. */
  readonly stop: (options?: { keep: boolean }) => Promise<string | undefined>;
};

const folderPrefix = "homework-test-pg-";
const password = "throw-away";
/** The port was free when we asked; somebody may take it before the server does. */
const startAttempts = 3;

const settings: Readonly<Record<string, string>> = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  // Only a test may lose data on a power cut.
  fsync: "off",
  full_page_writes: "off",
  synchronous_commit: "off",
  // Copying the template database is then a plain file copy.
  wal_level: "minimal",
  max_wal_senders: "0",
  shared_buffers: "64MB",
  max_connections: "200",
  lc_messages: "C",
};

/** Signing in takes longer than most of what a test then asks; the password is no secret. From 16 on: Debian's 15 does not know it. */
const quickSignIn: Readonly<Record<string, string>> = { scram_iterations: "1" };

/** From the programs in `binDir`, or from those that npm brought. */
export async function startThrowAwayPostgres(binDir?: string): Promise<ThrowAwayPostgres> {
  await removeAbandonedClusters();
  // Directly below the temporary folder: as root, the server runs as another user and must reach it.
  const folder = path.join(os.tmpdir(), `${folderPrefix}${process.pid}-${Math.random().toString(36).slice(2, 8)}`);
  mkdirSync(folder, { mode: 0o755 });
  try {
    const user = chooseOsUser(process.getuid?.(), folder);
    const npms = async () => ({ binDir: await embeddedBinDir(folder, user), extra: quickSignIn });
    const place = { folder, user, ...(binDir === undefined ? await npms() : { binDir, extra: {} }) };
    await initialise(place);
    const { server, adminUrl } = await start(place);
    return { adminUrl, stop: (options) => stop(server, folder, options?.keep ?? false) };
  } catch (thrown) {
    rmSync(folder, { recursive: true, force: true });
    throw thrown;
  }
}

type Place = {
  readonly folder: string;
  readonly user: OsUser | null;
  readonly binDir: string;
  /** Settings that this version has. */
  readonly extra: Readonly<Record<string, string>>;
};

async function embeddedBinDir(folder: string, user: OsUser | null): Promise<string> {
  const native = packagedBinaries();
  const binaries = await usableBinaries({ native, user, copyTo: () => folder, say: () => {} });
  return path.join(binaries.folder, "bin");
}

async function initialise({ folder, user, binDir, extra }: Place): Promise<void> {
  const data = path.join(folder, "data");
  const passwordFile = path.join(folder, "password");
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(passwordFile, password);
  if (user) for (const file of [data, passwordFile]) chownSync(file, user.uid, user.gid);
  const flags = ["--username=postgres", "--auth=scram-sha-256", "--locale=C.UTF-8", "--encoding=UTF8", "--no-sync"];
  const set = Object.entries(extra).flatMap(([name, value]) => ["--set", `${name}=${value}`]);
  await run(path.join(binDir, "initdb"), [`--pgdata=${data}`, `--pwfile=${passwordFile}`, ...flags, ...set], {
    ...asUser(user),
    cwd: data,
  });
}

function asUser(user: OsUser | null): { uid?: number; gid?: number } {
  return user ? { uid: user.uid, gid: user.gid } : {};
}

async function start({ folder, user, binDir, extra }: Place) {
  const log = path.join(folder, "server.log");
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const logFile = openSync(log, "a");
    const options = Object.entries({ ...settings, ...extra, port: String(port) }).flatMap(([name, value]) => [
      "-c",
      `${name}=${value}`,
    ]);
    const server = spawn(path.join(binDir, "postgres"), ["-D", path.join(folder, "data"), ...options], {
      ...asUser(user),
      cwd: folder,
      stdio: ["ignore", logFile, logFile],
    });
    closeSync(logFile);
    const adminUrl = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
    if (await answers(adminUrl, server)) return { server, adminUrl };
    await end(server, "SIGQUIT");
    if (attempt === startAttempts) throw new Error(`PostgreSQL did not start:\n${readFileSync(log, "utf8")}`);
  }
}

async function answers(adminUrl: string, server: ChildProcess): Promise<boolean> {
  const deadline = Date.now() + patienceMs;
  while (Date.now() < deadline && !hasEnded(server)) {
    const client = new pg.Client({ connectionString: adminUrl });
    client.on("error", () => {}); // a refused connection also rejects `connect`
    const connected = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => {});
    if (connected) return true;
    await sleep(30);
  }
  return false;
}

async function stop(server: ChildProcess, folder: string, keep: boolean): Promise<string | undefined> {
  await end(server, "SIGINT"); // fast shutdown: ends sessions, leaves a consistent folder
  if (!keep) {
    rmSync(folder, { recursive: true, force: true });
    return undefined;
  }
  return path.join(folder, "data");
}

function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(server)) return Promise.resolve();
  return new Promise((resolve) => {
    server.once("exit", () => resolve());
    server.kill(signal);
  });
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** A run that was killed could not clean up; the next one does it, kept folders of failed runs included. */
async function removeAbandonedClusters(): Promise<void> {
  for (const name of readdirSync(os.tmpdir()).filter((found) => found.startsWith(folderPrefix))) {
    const owner = Number(name.slice(folderPrefix.length).split("-")[0]);
    const folder = path.join(os.tmpdir(), name);
    if (isAlive(owner) || isOfThisRun(folder)) continue;
    try {
      const postmaster = postmasterOf(folder);
      if (postmaster !== undefined) process.kill(postmaster, "SIGQUIT");
      for (let i = 0; i < 100 && postmasterOf(folder) !== undefined; i++) await sleep(50);
      rmSync(folder, { recursive: true, force: true });
    } catch (thrown) {
      // Two runs may have begun at once and both tidy up; the folder goes either way.
      process.stderr.write(`left for the next run to remove: ${folder} (${thrown})\n`);
    }
  }
}

/** Kept by an earlier part of a whole run (`full-run.ts`). */
const isOfThisRun = (folder: string): boolean =>
  (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= Number(process.env.TEST_BEGAN ?? Infinity);

/** The server that still works in this folder. A process id alone may have been given to somebody else. */
function postmasterOf(folder: string): number | undefined {
  const file = path.join(folder, "data", "postmaster.pid");
  if (!existsSync(file)) return undefined;
  // Negative while initdb is at work.
  const pid = Math.abs(Number(readFileSync(file, "utf8").split("\n")[0]));
  const command = isAlive(pid) && existsSync(`/proc/${pid}`) ? readFileSync(`/proc/${pid}/cmdline`, "utf8") : "";
  return command.includes(folder) ? pid : undefined;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === "EPERM"; // it lives, but is not ours to signal
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = net.createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => (typeof address === "object" && address ? resolve(address.port) : reject(address)));
    });
  });
}
