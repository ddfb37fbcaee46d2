// `homework serve`: an installation on a port, from the first request to the last. SIGTERM drains it within ten seconds.

import { once } from "node:events";
import type { Server } from "node:http";
import { flushCompileCache } from "node:module";
import type { Listening, ServeOptions } from "../cli/ports.ts";
import { startCarryingOn } from "../server/carry-on-answers.ts";
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

export async function serve(input: ServeInput, options: ServeOptions, engines?: Engines): Promise<void> {
  const { config } = input;
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
    const link = await settleIn(config, installation, localUrl(config, port));
    options.onListening(describe(config, origin, link));
    flushCompileCache(); // A server that is killed later would not leave it for the next start.
    if (!options.signal.aborted) await once(options.signal, "abort");
    installation.app.streams.close(); // Viewers come back to another server while iterations finish here.
    await Promise.all([carryingOn.close(), worker.close()]);
  } finally {
    removeServerFile(config.data);
    await drain(server, installation);
  }
}

const describe = ({ accounts, data }: Config, url: string, link: string | null): Listening => ({
  url,
  mode: accounts ? "accounts" : "local",
  login_link: link,
  data,
});

/** Starts nothing twice: says where it runs already, with a fresh link. */
async function announceRunning(input: ServeInput, url: string, options: ServeOptions): Promise<void> {
  const { config } = input;
  const installation = await openApp({ ...input, origin: url });
  try {
    const link = config.accounts
      ? null
      : await installation.auth.loginLink((await ensureOwner(installation.db, installation.auth)).email);
    input.say(`Homework already runs on this data folder, at ${url}`);
    options.onListening(describe(config, url, link));
  } finally {
    await installation.close();
  }
}

/** The local owner's link, and the file by which commands on this machine find us. */
async function settleIn(config: Config, { db, auth }: Installation, local: string): Promise<string | null> {
  if (config.accounts) {
    writeServerFile(config.data, { pid: process.pid, url: local, key: null });
    return null;
  }
  const owner = await ensureOwner(db, auth);
  const key = await commandsKey(db, auth, owner.id, config.data);
  writeServerFile(config.data, { pid: process.pid, url: local, key });
  return auth.loginLink(owner.email);
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
