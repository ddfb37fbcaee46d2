// The files of the data folder that are not the database's: the secret that signs sessions, and who serves it now.

import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";

/** What is in it is one person's. Root's can be passed through: there the database runs as another user. */
export function makeDataFolder(data: string): void {
  mkdirSync(data, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
}

/** Made once. Of two processes that start at the same moment one wins, and both read what it wrote. */
export function readSecret(data: string): string {
  makeDataFolder(data);
  const file = path.join(data, "secret");
  try {
    writeFileSync(file, `${randomBytes(32).toString("base64url")}\n`, { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return readFileSync(file, "utf8").trim();
}

const serverFile = z.object({
  pid: z.number().int(),
  url: z.string(),
  /** For commands on this machine; null where everyone signs in with a key of their own. */
  key: z.string().nullable(),
});
export type ServerFile = z.infer<typeof serverFile>;

const nameOf = (data: string) => path.join(data, "server.json");

export function writeServerFile(data: string, server: ServerFile): void {
  const temporary = `${nameOf(data)}.${process.pid}`;
  writeFileSync(temporary, JSON.stringify(server), { mode: 0o600 });
  renameSync(temporary, nameOf(data));
}

/** What the file says, whether or not that server still lives. */
export function readServerFile(data: string): ServerFile | null {
  try {
    return serverFile.parse(JSON.parse(readFileSync(nameOf(data), "utf8")));
  } catch {
    return null; // Missing, or cut off by a crash: then there is no server to be found through it.
  }
}

/** Only ours: another server may have taken over meanwhile. */
export function removeServerFile(data: string): void {
  if (readServerFile(data)?.pid === process.pid) rmSync(nameOf(data), { force: true });
}

/** The server that runs on this data folder, if it answers. */
export async function findRunningServer(data: string): Promise<ServerFile | null> {
  const found = readServerFile(data);
  if (!found || !isAlive(found.pid)) return null;
  const answer = await fetch(`${found.url}/healthz`, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
  return answer?.ok ? found : null;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
