// Starts a PostgreSQL that outlives us on a cluster that has none, in spite of what a killed one left: a pid file that
// names some other process now, backends that still hold the shared memory, a port that is taken. Call it inside the lock.

import { rmSync } from "node:fs";
import path from "node:path";
import { identify } from "../../files/process-identity.ts";
import { AppError } from "../../lib/app-error.ts";
import type { Env } from "../../lib/env.ts";
import type { Logger } from "../../lib/logger.ts";
import { untilReady, wrongPassword } from "./connection.ts";
import { diskFull, hasRoom } from "./file-error.ts";
import { findPostmaster, pidFileOf } from "./find-postmaster.ts";
import { type Credentials, type Found, findReady, recoveryMs } from "./find-ready.ts";
import { type Launched, type LaunchRequest, launch } from "./launch.ts";
import { logTail } from "./log-file.ts";
import { orphansOf, untilOrphansGone } from "./orphans.ts";
import { choosePort } from "./port.ts";
import { canPass } from "./reach.ts";
import { clearSockets, makeSocketFolder } from "./socket-folder.ts";
import { stopPostmaster } from "./stop-postmaster.ts";

export type StartRequest = LaunchRequest & {
  readonly credentials: Credentials;
  /** Where the password is from, for words. */
  readonly passwordFile: string;
  readonly rememberedPort: number | null;
  readonly env: Env;
  readonly logger: Logger;
};

/** How long leftovers of a killed server may hold up a start. */
const startWithinMs = 15_000;
/** Without leftovers a start that failed this often fails for a reason that waiting does not cure. */
const attemptsMax = 3;
const pauseMs = 150;
/** A server that cannot have its port ends within milliseconds. */
const endsWithinMs = 2000;
/** Less than one segment of the write-ahead log: then the server cannot go on. */
const roomNeededBytes = 16 * 1024 * 1024;

export type Started = Extract<Found, { state: "ready" }>;

export async function startPostmaster(request: StartRequest): Promise<Started> {
  const { cluster, env, logger } = request;
  const deadline = env.now() + startWithinMs;
  for (let attempt = 1; ; attempt++) {
    await untilOrphansGone(cluster, env, deadline);
    removeBlockingPidFile(cluster, logger);
    const started = await startOnce(request);
    if (started) return started;
    const mayPass = orphansOf(cluster)?.length !== 0 || attempt < attemptsMax;
    if (!mayPass || env.now() >= deadline) throw startFailed(request);
    logger.warn({ attempt, cluster }, "the embedded database did not start; trying again");
    await env.sleep(pauseMs * attempt * (1 + env.random()));
  }
}

/** Undefined when it did not start. A server that somebody else started on the cluster meanwhile is as good. */
async function startOnce(request: StartRequest): Promise<Started | undefined> {
  const { cluster, credentials, env } = request;
  const port = await choosePort(request.rememberedPort, env);
  const socketFolder = await makeSocketFolder(cluster, request.user);
  if (socketFolder !== null) clearSockets(socketFolder, findPostmaster(cluster).state);
  const address = { port, socketFolder };
  const launched = launch(request, address);
  const login = { ...credentials, ...address };
  const readiness = await untilReady(
    () => login,
    env,
    recoveryMs,
    () => !launched.hasEnded(),
  );
  // Not our password at our port: another program was faster, and our server is about to give up.
  if (readiness === "wrong_password") await untilEnded(launched, env);
  const found = await findReady(cluster, credentials, env);
  if (found.state === "wrong_password") {
    await endOwn(launched, env);
    throw wrongPassword(request.passwordFile);
  }
  return found.state === "ready" ? found : undefined;
}

/** A server that does not let us in is of no use to us; one that somebody else has started is theirs. */
async function endOwn({ child, hasEnded }: Launched, env: Env): Promise<void> {
  const own = hasEnded() || child.pid === undefined ? undefined : identify(child.pid);
  if (own) await stopPostmaster(own, env);
}

async function untilEnded({ hasEnded }: Launched, env: Env): Promise<void> {
  const deadline = env.now() + endsWithinMs;
  while (!hasEnded() && env.now() < deadline) await env.sleep(20);
}

/** PostgreSQL trusts its pid file as long as any process has that pid. We looked closer: none of them is a server. */
function removeBlockingPidFile(cluster: string, logger: Logger): void {
  const found = findPostmaster(cluster);
  if (found.state !== "stale" || !found.blocks || orphansOf(cluster)?.length) return;
  logger.warn({ cluster, pid: found.pid }, "removing a postmaster.pid that names a process which is no server of ours");
  rmSync(pidFileOf(cluster), { force: true });
}

function startFailed({ cluster, user, logFile }: StartRequest): AppError {
  if (!hasRoom(cluster, roomNeededBytes)) return diskFull(cluster);
  if (user && !canPass(user, path.dirname(cluster))) {
    const advice = `PostgreSQL runs as the user ${user.name}, who cannot reach ${cluster} any more. Let that user pass through the folders above it (chmod o+x).`;
    return new AppError("config_invalid", advice);
  }
  const orphans = (orphansOf(cluster) ?? []).map(({ pid }) => pid);
  const why = orphans.length > 0 ? ` Processes ${orphans.join(", ")} of a killed server still hold it.` : "";
  return new AppError(
    "database_unavailable",
    `The embedded database in ${cluster} did not start.${why} The end of ${logFile}:\n${logTail(logFile)}`,
    { details: { cluster, logFile, orphans } },
  );
}
