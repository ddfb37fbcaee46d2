// Looks at an embedded database without starting or changing anything: what `homework doctor` reports.

import { statSync } from "node:fs";
import { lockHolder } from "../../files/lock.ts";
import { readOrUndefined } from "../../files/owned-files.ts";
import { versionFile } from "./cluster-version.ts";
import { dataFolderAt, readMemory } from "./data-folder.ts";
import { findPostmaster, type Postmaster } from "./find-postmaster.ts";
import { orphansOf } from "./orphans.ts";
import { usersOf } from "./users.ts";

export type EmbeddedReport = {
  /** The cluster's folder; null when none was ever made here. */
  readonly cluster: string | null;
  /** What PG_VERSION says; null when the cluster is missing. */
  readonly version: string | null;
  readonly server: Postmaster;
  /** The port it runs on, else the one it will try first. */
  readonly port: number | null;
  /** Where its socket is; null while it does not run, or listens on TCP. */
  readonly socketFolder: string | null;
  /** Whom it runs as when Homework runs as root. */
  readonly osUser: string | null;
  readonly binaries: string | null;
  /** Our processes that use it, by pid. */
  readonly users: readonly number[];
  /** Server processes whose postmaster is gone, by pid; null where this system does not show them. */
  readonly orphans: readonly number[] | null;
  /** Our process that is starting or stopping it just now. */
  readonly busyWith: number | null;
  readonly logFile: string;
  readonly logBytes: number;
};

export function inspectEmbedded(dataDir: string): EmbeddedReport {
  const data = dataFolderAt(dataDir);
  const memory = readMemory(data);
  const server: Postmaster = memory ? findPostmaster(memory.cluster) : { state: "none" };
  const orphans = memory ? orphansOf(memory.cluster) : [];
  return {
    cluster: memory?.cluster ?? null,
    version: memory ? (readOrUndefined(versionFile(memory.cluster))?.trim() ?? null) : null,
    server,
    port: "port" in server ? server.port : (memory?.port ?? null),
    socketFolder: "socketFolder" in server ? server.socketFolder : null,
    osUser: memory?.osUser?.name ?? null,
    binaries: memory?.binaries ?? null,
    users: [...new Set(usersOf(data.users).map(({ pid }) => pid))],
    orphans: orphans?.map(({ pid }) => pid) ?? null,
    busyWith: lockHolder(data.lock)?.pid ?? null,
    logFile: data.log,
    logBytes: statSync(data.log, { throwIfNoEntry: false })?.size ?? 0,
  };
}
