// A real server process on a data folder of its own, with the embedded database: for chaos, browser tests and bench.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { removeEmbedded } from "../../src/db/embedded/stop-embedded.ts";
import { readServerFile } from "../../src/main/data-folder.ts";
import { realEnv } from "../../src/main/env.ts";
import { routes } from "../../src/protocol/api.ts";
import { type Api, type ApiOptions, createApi } from "../../src/protocol/client.ts";
import { testLimitMs } from "./patience.ts";

const launcher = fileURLToPath(new URL("../../bin/homework.js", import.meta.url));
/** Where many others work, making a database takes minutes; only a failure takes all of it. */
const startLimitMs = testLimitMs / 3;

/** A server that answers, wherever it runs. */
export type Serving = {
  readonly url: string;
  readonly key: string;
  /** As the local owner. */
  readonly api: Api;
  readonly apiOptions: ApiOptions;
  /** What it said when it started, login link included. */
  readonly words: () => string;
};

export type Served = Serving & { readonly child: ChildProcess; readonly startMs: number };

export type ServedOptions = {
  readonly settings?: Readonly<Record<string, string>>;
  readonly port?: number;
  /** Left out: the program of this folder. */
  readonly launcher?: string;
};

/** Open to pass through: as root, the database runs as another user and would else be kept outside of the folder. */
export function makeDataFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "homework-served-"));
  chmodSync(folder, 0o711);
  return folder;
}

/** Also where the database had to be kept outside of the folder. */
export async function removeDataFolder(data: string): Promise<void> {
  await removeEmbedded(data, realEnv);
  rmSync(data, { recursive: true, force: true });
}

/** Starts it and waits until it is ready. */
export async function startServer(data: string, options: ServedOptions = {}): Promise<Served> {
  const began = performance.now();
  const child = spawn(process.execPath, [options.launcher ?? launcher, "serve"], {
    env: serverEnvironment(data, options),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let words = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (piece) => {
      words = `${words}${piece}`.slice(-8_000);
    });
  while (performance.now() - began < startLimitMs) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}:\n${words}`);
    const served = await findReady(data, child.pid);
    if (served) return { ...served, child, words: () => words, startMs: Math.round(performance.now() - began) };
    await sleep(20);
  }
  child.kill("SIGKILL");
  throw new Error(`the server did not start within ${startLimitMs} ms:\n${words}`);
}

export function serverEnvironment(data: string, options: ServedOptions): Readonly<Record<string, string>> {
  return {
    PATH: process.env.PATH ?? "",
    HOME: data,
    HOMEWORK_DATA: data,
    HOMEWORK_PORT: String(options.port ?? 0),
    HOMEWORK_RATE_LIMIT_PER_MINUTE: "1000000",
    // On a busy machine it takes longer, and is no less there.
    HOMEWORK_DATABASE_CONNECT_SECONDS: "120",
    HOMEWORK_LOG_LEVEL: "error",
    HOMEWORK_FIND_LOCAL_MODELS: "false",
    ...options.settings,
  };
}

async function findReady(data: string, pid: number | undefined) {
  const found = readServerFile(data);
  return found && found.pid === pid ? ready(found.url, found.key ?? "") : null;
}

/** For a server whose process is not ours to watch. */
export async function untilReady(data: string, pid: number) {
  for (const endAt = performance.now() + startLimitMs; performance.now() < endAt; await sleep(20)) {
    const served = await findReady(data, pid);
    if (served) return served;
  }
  throw new Error(`the server did not answer within ${startLimitMs} ms`);
}

async function ready(url: string, key: string) {
  const headers = key === "" ? {} : { authorization: `Bearer ${key}` };
  const apiOptions: ApiOptions = { baseUrl: url, fetch: (address, init) => fetch(address, init), headers };
  const api = createApi(apiOptions);
  const answer = await api(routes.instance.ready, {}).catch(() => null);
  return answer && { url, key, api, apiOptions };
}

/** Asks it to stop and waits until it has. */
export async function stopServer({ child }: Pick<Served, "child">): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGTERM");
  await gone;
}

export async function killServerHard({ child }: Pick<Served, "child">): Promise<void> {
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}
