// Starts the processes that servers of browser tests run in (server-host.ts), one for each worker, and ends them with the test run.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { inject } from "vitest";
import type { TestProject } from "vitest/node";
import { patienceMs } from "./patience.ts";
import { type ServedOptions, type Serving, serverEnvironment, untilReady } from "./served.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Addresses of the hosts. */
    serverHosts?: readonly { readonly url: string; readonly pid: number }[];
  }
}

export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const browser = project.vitest.projects.find(({ name }) => name === "browser");
  if (browser === undefined) return undefined;
  const hosts = await Promise.all(Array.from({ length: Number(browser.config.maxWorkers) }, startHost));
  project.provide(
    "serverHosts",
    hosts.map(({ url, pid }) => ({ url, pid })),
  );
  return async () => {
    for (const { child } of hosts) {
      const gone = once(child, "exit");
      child.disconnect();
      await gone;
    }
  };
}

async function startHost() {
  // Some versions of Node announce that they read TypeScript.
  const execArgv = ["--no-warnings"];
  const child: ChildProcess = fork(path.join(import.meta.dirname, "server-host.ts"), { execArgv });
  const [port] = await once(child, "message");
  return { child, pid: child.pid ?? 0, url: `http://127.0.0.1:${port}` };
}

/** The one of this worker. */
function hostOfWorker() {
  const hosts = inject("serverHosts") ?? [];
  const host = hosts[Number(process.env.VITEST_POOL_ID ?? 1) % hosts.length];
  if (host === undefined) throw new Error("only tests of `browser` have a host for their servers");
  return host;
}

const call = async (url: string, body?: unknown): Promise<string> => {
  const answer = await fetch(url, {
    method: "POST",
    signal: AbortSignal.timeout(patienceMs),
    headers: { connection: "close" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const words = await answer.text();
  if (!answer.ok) throw new Error(words);
  return words;
};

/** A server on this data folder, in the host of this worker. */
export async function startHosted(data: string, options: ServedOptions = {}): Promise<Serving> {
  const host = hostOfWorker();
  const words = await call(`${host.url}/start`, serverEnvironment(data, options));
  return { ...(await untilReady(data, host.pid)), words: () => words };
}

export async function stopHosted(data: string): Promise<void> {
  await call(`${hostOfWorker().url}/stop?${new URLSearchParams({ data })}`);
}
