// The folder of the server's unix socket: only whom the server runs as may enter it. Where there is one, the server does not listen on TCP, so
// that idle connections of other users of this machine cannot take the places of ours.

import { chmodSync, chownSync, lstatSync, mkdirSync, rmSync } from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { namesIn } from "../../files/owned-files.ts";
import type { Postmaster } from "./find-postmaster.ts";
import type { OsUser } from "./os-user.ts";
import { canPass } from "./reach.ts";
import { keyOf } from "./shared-folder.ts";

/** What the shortest of our systems takes, with the byte that ends it. */
const pathBytesMax = 103;
/** The server makes its name from the port. */
const nameOf = (port: number) => `.s.PGSQL.${port}`;
const longestName = nameOf(65_535);
/** PostgreSQL reads a list, whose signs may not be in a path; one that begins with @ is something else. */
const listSigns = /["',\n]|^@|^\s|\s$/;

/** Where the folder may be, best first. */
export const socketFoldersOf = (cluster: string): readonly string[] => [
  path.join(path.dirname(cluster), "postgres-socket"),
  path.join(os.tmpdir(), `homework-${keyOf(cluster)}`),
];

/** Beside the cluster, or where that path is too long, among temporary files; null: this machine or disk has no sockets for us. */
export async function makeSocketFolder(cluster: string, user: OsUser | null): Promise<string | null> {
  if (process.platform === "win32") return null;
  for (const folder of socketFoldersOf(cluster))
    if (isShort(folder) && isOurs(folder, user) && (await takesSockets(folder))) return folder;
  return null;
}

/** What a killed server has left. One that runs, or may run, cannot be reached again without its socket. */
export function clearSockets(folder: string, server: Postmaster["state"]): void {
  if (server !== "none" && server !== "stale") return;
  for (const name of namesIn(folder))
    if (name.startsWith(".s.PGSQL.")) rmSync(path.join(folder, name), { force: true });
}

const isShort = (folder: string): boolean =>
  Buffer.byteLength(path.join(folder, longestName)) <= pathBytesMax && !listSigns.test(folder);

/** A folder of somebody else, or one that others may enter, is not used. */
function isOurs(folder: string, user: OsUser | null): boolean {
  try {
    const isNew = mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined;
    if (isNew) chmodSync(folder, 0o700);
    if (isNew && user) chownSync(folder, user.uid, user.gid);
    const found = lstatSync(folder);
    const isSafe = found.isDirectory() && found.uid === (user?.uid ?? process.getuid?.()) && (found.mode & 0o077) === 0;
    return isSafe && (!user || canPass(user, folder));
  } catch {
    return false;
  }
}

/** Disks that are shared with another system often take none. */
function takesSockets(folder: string): Promise<boolean> {
  const file = path.join(folder, `.try-${process.pid}`);
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once("error", () => resolve(false));
    server.listen(file, () => server.close(() => resolve(true)));
  });
}
