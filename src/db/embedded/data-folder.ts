// The product's data folder as far as the embedded database is concerned: where its files are and what they remember.
// Everything here belongs to the user who runs us; only the cluster itself belongs to the database's user.

import { randomBytes } from "node:crypto";
import { mkdirSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { readOrUndefined, writeWhole } from "../../files/owned-files.ts";
import { AppError } from "../../lib/app-error.ts";

export type DataFolder = {
  /** Its real path, without symbolic links. */
  readonly path: string;
  readonly lock: string;
  readonly users: string;
  readonly password: string;
  readonly log: string;
  readonly memory: string;
};

const memorySchema = z.object({
  /** The cluster; relative when it is inside the data folder, so that the folder may be moved. */
  cluster: z.string(),
  /** It was there once: if it is missing now, it is lost or not mounted, and no empty one may take its place. */
  made: z.boolean(),
  /** Whom PostgreSQL runs as when we are root. */
  osUser: z.object({ name: z.string(), uid: z.number(), gid: z.number() }).nullable(),
  /** The port of last time: kept while it is free, so that connection pools survive a restart. */
  port: z.number().nullable(),
  /** The binaries of last time, for those who only look. */
  binaries: z.string().nullable(),
});

export type Memory = z.infer<typeof memorySchema>;

/** The folder and its files; makes nothing. */
export function dataFolderAt(folder: string): DataFolder {
  const real = realOr(folder);
  return {
    path: real,
    lock: path.join(real, "postgres-lock"),
    users: path.join(real, "postgres-users"),
    password: path.join(real, "postgres-password"),
    log: path.join(real, "postgres.log"),
    memory: path.join(real, "postgres.json"),
  };
}

/** As root the database's user has to pass through the folder (not list it), so a folder made here lets it. */
export function makeDataFolder(folder: string, asRoot: boolean): DataFolder {
  mkdirSync(folder, { recursive: true, mode: asRoot ? 0o711 : 0o700 });
  return dataFolderAt(folder);
}

export function readMemory(data: DataFolder): Memory | undefined {
  const text = readOrUndefined(data.memory);
  if (text === undefined) return undefined;
  try {
    const memory = memorySchema.parse(JSON.parse(text));
    return { ...memory, cluster: path.resolve(data.path, memory.cluster) };
  } catch (cause) {
    throw new AppError(
      "config_invalid",
      `${data.memory} cannot be read. It says where the embedded database is: put it back from a backup, or remove it to have the database looked for in its usual place.`,
      { cause },
    );
  }
}

export function writeMemory(data: DataFolder, memory: Memory): void {
  const inside = path.relative(data.path, memory.cluster);
  const cluster = inside.startsWith("..") ? memory.cluster : inside;
  const text = `${JSON.stringify({ ...memory, cluster }, null, 2)}\n`;
  if (readOrUndefined(data.memory) !== text) writeWhole(data.memory, text);
}

export function readPassword(data: DataFolder): string | undefined {
  return readOrUndefined(data.password)?.trim() || undefined;
}

export function newPassword(): string {
  return randomBytes(24).toString("base64url");
}

/** For this user's eyes only. */
export function keepPassword(data: DataFolder, password: string): string {
  writeWhole(data.password, `${password}\n`);
  return password;
}

function realOr(folder: string): string {
  const whole = path.resolve(folder);
  return statSync(whole, { throwIfNoEntry: false }) ? realpathSync(whole) : whole;
}
