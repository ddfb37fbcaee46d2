// Starts the server program, detached, and with the settings that make it ours: a socket for its own user, or loopback on systems without sockets.

import { type ChildProcess, spawn } from "node:child_process";
import { closeSync } from "node:fs";
import type { Binaries } from "./binaries.ts";
import type { Address } from "./connection.ts";
import { openLog } from "./log-file.ts";
import type { OsUser } from "./os-user.ts";
import { asUser, programEnvironment } from "./run.ts";

export type LaunchRequest = {
  readonly cluster: string;
  readonly binaries: Binaries;
  readonly user: OsUser | null;
  readonly logFile: string;
  readonly settings: Readonly<Record<string, string>>;
};

/** Durability (fsync, synchronous_commit, full_page_writes) stays as PostgreSQL has it: on. */
const ourSettings: Readonly<Record<string, string>> = {
  // A server, some workers and a CLI, each with a pool.
  max_connections: "200",
  timezone: "UTC",
  log_timezone: "UTC",
  log_line_prefix: "%m [%p] ",
  // A line every five minutes for months is all they would say.
  log_checkpoints: "off",
};

const listening = ({ socketFolder }: Address) => ({
  listen_addresses: socketFolder === null ? "127.0.0.1" : "",
  unix_socket_directories: socketFolder ?? "",
});

export type Launched = { readonly child: ChildProcess; readonly hasEnded: () => boolean };

export function launch({ binaries, cluster, settings, user, logFile }: LaunchRequest, address: Address): Launched {
  const all = { ...ourSettings, ...listening(address), ...settings, port: String(address.port) };
  const args = ["-D", cluster, ...Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
  const log = openLog(logFile);
  try {
    const child = spawn(binaries.postgres, args, {
      cwd: "/",
      env: programEnvironment,
      // Its own session: neither a Ctrl-C in our terminal nor our death reaches it.
      detached: true,
      stdio: ["ignore", log, log],
      ...asUser(user),
    });
    let ended = false;
    for (const event of ["exit", "error"]) {
      child.once(event, () => {
        ended = true;
      });
    }
    child.unref();
    return { child, hasEnded: () => ended };
  } finally {
    closeSync(log);
  }
}
