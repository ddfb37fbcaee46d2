// A large file that is there whole or not at all: written beside its place and moved there in the end. What stood there before stays until then.

import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
} from "node:fs";
import path from "node:path";
import { AppError } from "../lib/app-error.ts";
import type { Env } from "../lib/env.ts";
import { hasCode } from "./has-code.ts";
import { namesIn } from "./owned-files.ts";
import { isAlive, nameAfter, namedProcess, thisProcess } from "./process-identity.ts";

const draftPrefix = ".homework-draft-";
/** A draft that grew so recently may belong to a process on another machine that shares the folder. */
const abandonedAfterMs = 10 * 60_000;

export type Place = {
  readonly file: string;
  /** The file that is there may be replaced. */
  readonly overwrite: boolean;
  readonly env: Pick<Env, "now" | "newId">;
};

/** `write` fills the draft, which is not there yet. If it fails, the draft goes and nothing else has changed. */
export async function putInPlace<T>(place: Place, write: (draft: string) => Promise<T>): Promise<T> {
  try {
    return await putOrThrow(place, write);
  } catch (thrown) {
    throw explain(place.file, thrown);
  }
}

async function putOrThrow<T>({ file, overwrite, env }: Place, write: (draft: string) => Promise<T>): Promise<T> {
  const found = statSync(file, { throwIfNoEntry: false });
  refuse(file, found, overwrite);
  const target = found ? realpathSync(file) : path.resolve(file); // A link to a file stays a link.
  const folder = path.dirname(target);
  sweep(folder, env.now());
  const draft = path.join(folder, draftPrefix + nameAfter(thisProcess(), env.newId()));
  try {
    const result = await write(draft);
    if (overwrite) renameSync(draft, target);
    else linkOnce(draft, target);
    flush(folder);
    return result;
  } finally {
    rmSync(draft, { force: true });
  }
}

function refuse(file: string, found: Stats | undefined, overwrite: boolean): void {
  if (found && !found.isFile()) throw new AppError("invalid_request", `${file} is no ordinary file: name another one`);
  if (found && !overwrite) throw taken(file);
}

/** Fails where a file has come meanwhile; where the disk knows no second names, the moment between look and move is left. */
function linkOnce(draft: string, target: string): void {
  try {
    linkSync(draft, target);
  } catch (error) {
    if (!hasCode(error, "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK")) throw error;
    if (existsSync(target)) throw taken(target);
    renameSync(draft, target);
  }
}

/** What processes that were killed have left. */
function sweep(folder: string, nowMs: number): void {
  for (const name of namesIn(folder).filter((each) => each.startsWith(draftPrefix))) {
    const writer = namedProcess(name.slice(draftPrefix.length));
    const draft = path.join(folder, name);
    const ageMs = nowMs - (statSync(draft, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if ((!writer || !isAlive(writer)) && ageMs > abandonedAfterMs) rmSync(draft, { force: true });
  }
}

/** The name survives a power failure, too; Windows opens no folders. */
function flush(folder: string): void {
  if (process.platform === "win32") return;
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

const taken = (file: string) => new AppError("already_exists", `${file} exists already; --overwrite replaces it`);

function explain(file: string, thrown: unknown): unknown {
  const refusal = (code: "invalid_request" | "not_found" | "unprocessable", why: string) =>
    new AppError(code, why, { cause: thrown });
  if (hasCode(thrown, "EEXIST")) return taken(file);
  if (hasCode(thrown, "ENOENT")) return refusal("not_found", `There is no folder for ${file}`);
  if (hasCode(thrown, "ENOTDIR")) return refusal("invalid_request", `A part of the path ${file} is no folder`);
  if (hasCode(thrown, "ENAMETOOLONG")) return refusal("invalid_request", `The name ${file} is too long`);
  if (hasCode(thrown, "EACCES", "EPERM", "EROFS"))
    return refusal("invalid_request", `This user may not write ${file}: name a file in another folder`);
  if (hasCode(thrown, "ENOSPC", "EDQUOT", "EFBIG"))
    return refusal(
      "unprocessable",
      `There is not enough room for ${file}: make some, or name a file on another disk. Nothing was changed`,
    );
  return thrown;
}
