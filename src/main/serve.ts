// `homework serve`: an installation on a port, from the first request to the last. SIGTERM drains it within ten seconds.

import { once } from "node:events";
import type { Server } from "node:http";
import { flushCompileCache } from "node:module";
import { setFlagsFromString } from "node:v8";
import type { Listening, ServeOptions } from "../cli/ports.ts";
import { startCarryingOn } from "../server/carry-on-answers.ts";
import { readBootstrap } from "../server/sign-up.ts";
import { isReachable } from "./config-check.ts";
import type { Config } from "./config-schema.ts";
import { findRunningServer, removeServerFile, writeServerFile } from "./data-folder.ts";
import { realEnv } from "./env.ts";
import { type Installation, openApp } from "./installation.ts";
import { commandsKey, ensureOwner } from "./local-owner.ts";
import type { OpenOptions } from "./open-database.ts";
import type { Engines } from "./open-engines.ts";
import { openPort } from "./open-port.ts";
import { openWorker } from "./open-worker.ts";
import { hostOf } from "./origin.ts";
import type { SettingsFile } from "./settings-file.ts";

export type ServeInput = OpenOptions & { readonly version: string; readonly settings: SettingsFile };

/** Requests in flight get this long; then they are cut. Ten seconds in all are promised. */
const drainMs = 3_000;
const lookForIdleMs = 50;
/**
 * When the heap is looked through again: once it is half as large again as what was alive. Left to itself, the engine lets it grow to four
 * times as much on a machine with much memory, and keeps that after a bad hour.
 */
const heapGrowth = "--heap-growing-percent=50";

export async function serve(input: ServeInput, options: ServeOptions, engines?: Engines): Promise<void> {
  const { config } = input;
  setFlagsFromString(heapGrowth);
  const running = await findRunningServer(config.data);
  if (running) return announceRunning(input, running.url, options);
  const { server, origin, port, route } = await openPort(config);
  let installation: Installation | null = null;
  try {
    installation = await openApp({ ...input, origin });
    route(installation);
    const { db, queue } = installation;
    const { logger } = input;
    const carryingOn = startCarryingOn({ db, desk: installation.app.chats, env: realEnv, logger });
    const worker = await openWorker({ db, queue, config, logger, origin, engines, source: installation.source });
    const links = await settleIn(config, installation, localUrl(config, port), origin);
    options.onListening(describe(config, origin, links));
    flushCompileCache(); // A server that is killed later would not leave it for the next start.
    if (!options.signal.aborted) await once(options.signal, "abort");
    installation.app.streams.close(); // Viewers come back to another server while iterations finish here.
    await Promise.all([carryingOn.close(), worker.close()]);
  } finally {
    removeServerFile(config.data);
    await drain(server, installation);
  }
}

type Links = Pick<Listening, "login_link" | "setup_link">;

const describe = ({ accounts, data }: Config, url: string, links: Links): Listening => ({
  url,
  mode: accounts ? "accounts" : "local",
  ...links,
  data,
});

/** Behind the `#`, so that no proxy writes the token into its log. Null once there is an admin who can sign in. */
async function findSetupLink(config: Config, { db, auth }: Installation, origin: string): Promise<string | null> {
  const bootstrap = await db.asSystem((tx) => readBootstrap(tx, isReachable(config)));
  return bootstrap === "token" ? `${origin}/sign-up#setup=${auth.bootstrapToken.value}` : null;
}

/** Starts nothing twice: says where it runs already, with a fresh link. */
async function announceRunning(input: ServeInput, url: string, options: ServeOptions): Promise<void> {
  const { config } = input;
  const installation = await openApp({ ...input, origin: url });
  try {
    const { db, auth } = installation;
    const links = config.accounts
      ? { login_link: null, setup_link: await findSetupLink(config, installation, url) }
      : { login_link: await auth.loginLink((await ensureOwner(db, auth)).email), setup_link: null };
    input.say(`Homework already runs on this data folder, at ${url}`);
    options.onListening(describe(config, url, links));
  } finally {
    await installation.close();
  }
}

/** The link that the operator needs, and the file by which commands on this machine find us. */
async function settleIn(config: Config, installation: Installation, local: string, origin: string): Promise<Links> {
  if (config.accounts) {
    writeServerFile(config.data, { pid: process.pid, url: local, key: null });
    return { login_link: null, setup_link: await findSetupLink(config, installation, origin) };
  }
  const { db, auth } = installation;
  const owner = await ensureOwner(db, auth);
  const key = await commandsKey(db, auth, owner.id, config.data);
  writeServerFile(config.data, { pid: process.pid, url: local, key });
  return { login_link: await auth.loginLink(owner.email), setup_link: null };
}

/** Where commands on this machine reach us, whatever name the world uses. */
function localUrl({ host }: Config, port: number): string {
  const isAny = host === "0.0.0.0" || host === "::";
  return `http://${isAny ? "127.0.0.1" : hostOf(host)}:${port}`;
}

async function drain(server: Server, installation: Installation | null): Promise<void> {
  installation?.app.streams.close(); // An open stream would keep the server from closing.
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const late = new AbortController();
  void closeIdle(server, late.signal);
  await Promise.race([closed, realEnv.sleep(drainMs, late.signal).catch(() => {})]);
  late.abort();
  server.closeAllConnections();
  await installation?.close();
}

/** A browser keeps its connections and asks again on them; each goes as soon as nothing is in flight on it. */
async function closeIdle(server: Server, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    server.closeIdleConnections();
    await realEnv.sleep(lookForIdleMs, signal).catch(() => {});
  }
}
