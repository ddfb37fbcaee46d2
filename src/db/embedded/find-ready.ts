// Finds the server that runs on a cluster and waits until it lets us in: it may be starting, or replaying its log.

import { isAlive, type ProcessIdentity } from "../../files/process-identity.ts";
import { AppError } from "../../lib/app-error.ts";
import type { Env } from "../../lib/env.ts";
import { type Address, type Login, servesFolder, untilReady } from "./connection.ts";
import { findPostmaster } from "./find-postmaster.ts";

export type Running = Address & { readonly process: ProcessIdentity; readonly listens: boolean };

/** How to get in, wherever it listens. */
export type Credentials = Omit<Login, keyof Address>;

export type Found =
  | { readonly state: "ready"; readonly running: Running; readonly hasDatabase: boolean }
  | { readonly state: "absent" }
  | { readonly state: "wrong_password" };

/** After a crash the server first replays its log; a large one takes a while. */
export const recoveryMs = 90_000;

export async function findReady(cluster: string, credentials: Credentials, env: Env): Promise<Found> {
  let running = await findRunning(cluster, credentials.password);
  if (!running) return { state: "absent" };
  const { process: server } = running;
  const findLogin = () => {
    const found = findPostmaster(cluster);
    if (running && !running.listens && "listens" in found) running = { ...found };
    return running?.listens ? { ...credentials, port: running.port, socketFolder: running.socketFolder } : undefined;
  };
  const readiness = await untilReady(findLogin, env, recoveryMs, () => isAlive(server));
  if (readiness === "ready" || readiness === "no_database") {
    return { state: "ready", running, hasDatabase: readiness === "ready" };
  }
  if (!isAlive(server)) return { state: "absent" };
  if (readiness === "wrong_password") return { state: readiness };
  throw new AppError(
    "database_unavailable",
    `The embedded database (process ${server.pid}) has been starting for ${recoveryMs / 1000} s and is not ready; after a crash it may be replaying a long log. Try again later.`,
  );
}

/** The server of this cluster, known for certain: by its process or, where that is hidden, by its own answer. */
export async function findRunning(cluster: string, password: string): Promise<Running | undefined> {
  const found = findPostmaster(cluster);
  if (found.state === "running") return found;
  if (found.state !== "unclear") return undefined;
  const { port, socketFolder } = found;
  return (await servesFolder({ port, socketFolder, password }, cluster)) ? found : undefined;
}
