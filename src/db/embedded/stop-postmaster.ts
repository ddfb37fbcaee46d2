// Stops a server: quickly and cleanly, and if it does not listen, at once (it then recovers at the next start).
// Only a process that was just seen to be the server of the cluster is handed in here.

import { isAlive, type ProcessIdentity, signal } from "../../files/process-identity.ts";
import { AppError } from "../../lib/app-error.ts";
import type { Env } from "../../lib/env.ts";

/** A fast shutdown writes everything to disk first. */
const fastMs = 30_000;
const immediateMs = 10_000;
const pollMs = 15;

export async function stopPostmaster(server: ProcessIdentity, env: Env): Promise<void> {
  if (await endsAfter("SIGINT", server, env, fastMs)) return;
  if (await endsAfter("SIGQUIT", server, env, immediateMs)) return;
  throw new AppError(
    "database_unavailable",
    `The embedded database (process ${server.pid}) does not stop. End it with kill -9 ${server.pid}; it repairs itself at the next start.`,
  );
}

async function endsAfter(name: NodeJS.Signals, server: ProcessIdentity, env: Env, waitMs: number): Promise<boolean> {
  signal(server, name);
  const deadline = env.now() + waitMs;
  while (isAlive(server)) {
    if (env.now() >= deadline) return false;
    await env.sleep(pollMs);
  }
  return true;
}
