// A lock among processes that a killed holder cannot keep. Each holder makes the next numbered file (pid and start
// time inside) and empties it when done; the highest number says who holds the lock. The highest file is never removed,
// so two processes that both find a dead holder cannot both take over: only one makes the next number.

import { linkSync, rmSync, truncateSync } from "node:fs";
import path from "node:path";
import { AppError } from "../lib/app-error.ts";
import type { Env } from "../lib/env.ts";
import { readJson } from "../lib/json.ts";
import { number, object, text, tryFit } from "../lib/shape.ts";
import { hasCode } from "./has-code.ts";
import { makeOwnedFolder, namesIn, readOrUndefined, writeOwned } from "./owned-files.ts";
import { isAlive, nameAfter, namedProcess, type ProcessIdentity } from "./process-identity.ts";

export type LockRequest = {
  readonly folder: string;
  readonly self: ProcessIdentity;
  readonly env: Env;
  readonly waitMs: number;
  /** What a holder does meanwhile, for the message to a process that waited too long: `starts or stops the embedded database`. */
  readonly whileHeld: string;
};

/** Old numbers that stay for those who are just reading the folder. */
const numbersKept = 8;
/** Looking again, ever more slowly: a hundred waiting processes must not be busy with looking. */
const firstPollMs = 10;
const slowestPollMs = 150;
const draftPrefix = "draft-";

const holderShape = object({ pid: number, started: text });

/** Runs `work` while no other process (nor another call in this one) is inside; waits at most `waitMs` for its turn. */
export async function withLock<T>(request: LockRequest, work: () => Promise<T>): Promise<T> {
  const release = await acquire(request);
  try {
    return await work();
  } finally {
    release();
  }
}

/** Who holds the lock now, if anybody. */
export function lockHolder(folder: string): ProcessIdentity | undefined {
  return liveHolder(folder, latestNumber(folder));
}

function liveHolder(folder: string, number: number): ProcessIdentity | undefined {
  const holder = number === 0 ? undefined : readHolder(path.join(folder, String(number)));
  return holder && isAlive(holder) ? holder : undefined;
}

async function acquire(request: LockRequest): Promise<() => void> {
  makeOwnedFolder(request.folder);
  const deadline = request.env.now() + request.waitMs;
  for (let pollMs = firstPollMs; ; pollMs = Math.min(pollMs * 1.5, slowestPollMs)) {
    const release = tryAcquire(request);
    if (release) return release;
    if (request.env.now() >= deadline) throw stillHeld(request);
    await request.env.sleep(pollMs * (0.5 + request.env.random()));
  }
}

function tryAcquire({ folder, self, env }: LockRequest): (() => void) | undefined {
  // One look decides both who holds it and which number is next; a second look could already count a newer holder.
  const latest = latestNumber(folder);
  if (liveHolder(folder, latest)) return undefined;
  const number = latest + 1;
  const file = path.join(folder, String(number));
  const draft = path.join(folder, draftPrefix + nameAfter(self, env.newId()));
  writeOwned(draft, JSON.stringify(self));
  try {
    linkSync(draft, file);
  } catch (error) {
    if (hasCode(error, "EEXIST")) return undefined;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  // A slow process may have made a number that was used and swept long ago: then a higher one is there.
  if (latestNumber(folder) !== number) {
    rmSync(file, { force: true });
    return undefined;
  }
  sweep(folder, number);
  return () => giveBack(file);
}

/** Emptied in place: that needs no room, so a full disk cannot keep the lock. */
function giveBack(file: string): void {
  try {
    truncateSync(file, 0);
  } catch (error) {
    // The whole data folder was removed meanwhile: there is nothing left to lock.
    if (!hasCode(error, "ENOENT")) throw error;
  }
}

function latestNumber(folder: string): number {
  return numbersIn(folder).reduce((highest, number) => Math.max(highest, number), 0);
}

function numbersIn(folder: string): readonly number[] {
  return (
    namesIn(folder)
      // A name of more digits is not ours, and could not be counted on from.
      .filter((name) => /^\d{1,15}$/.test(name))
      .map(Number)
  );
}

function readHolder(file: string): ProcessIdentity | undefined {
  const written = readUsable(file);
  // Swept while we looked, given back, cut off by a power failure, or not ours: no living process holds it.
  return written?.endsWith("}") ? (tryFit(holderShape, readJson(written)) ?? undefined) : undefined;
}

/** Undefined too where something stands there that no holder has written: a pipe, a folder, a large file. */
function readUsable(file: string): string | undefined {
  try {
    return readOrUndefined(file);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** Numbers too old to be looked at, and drafts of processes that were killed while they wrote. */
function sweep(folder: string, number: number): void {
  const old = numbersIn(folder).filter((other) => other < number - numbersKept);
  const drafts = namesIn(folder).filter((name) => name.startsWith(draftPrefix) && isAbandoned(name));
  for (const name of [...old.map(String), ...drafts]) rmSync(path.join(folder, name), { force: true });
}

function isAbandoned(draft: string): boolean {
  const author = namedProcess(draft);
  return !author || !isAlive(author);
}

function stillHeld({ folder, waitMs, whileHeld }: LockRequest): AppError {
  const holder = lockHolder(folder);
  const who = holder ? `process ${holder.pid}` : "other processes";
  return new AppError(
    "database_unavailable",
    `Waited ${Math.round(waitMs / 1000)} s while ${who} ${whileHeld}. If it hangs, end that process and try again.`,
    { details: { lock: folder, holder: holder?.pid } },
  );
}
