// Turns what the file system refuses into words that say what to do about it.

import { statfsSync } from "node:fs";
import { hasCode } from "../../files/has-code.ts";
import { AppError } from "../../lib/app-error.ts";

/** Runs file work on `folder`; a refusal comes out as an AppError with advice. */
export async function withAdvice<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explainFileError(error, folder);
  }
}

function explainFileError(error: unknown, folder: string): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  if (hasCode(error, "ENOSPC", "EDQUOT")) return diskFull(folder, error);
  if (hasCode(error, "EROFS")) {
    return new AppError("config_invalid", `${folder} is on a read-only file system. ${elsewhere}`, { cause: error });
  }
  if (hasCode(error, "EACCES", "EPERM")) {
    const what = "path" in error && typeof error.path === "string" ? error.path : folder;
    return new AppError(
      "config_invalid",
      `This user may not use ${what}, which the embedded database needs. Give the folder to the user who runs Homework (chown -R), or: ${elsewhere}`,
      { cause: error },
    );
  }
  return error;
}

export const elsewhere =
  "Choose another data folder, or set DATABASE_URL to a PostgreSQL of your own (version 15 or newer).";

export function diskFull(folder: string, cause?: unknown): AppError {
  return new AppError(
    "database_unavailable",
    `The disk that holds ${folder} is full, so the embedded database cannot run. Free some space there and start again; nothing needs repair.`,
    { cause },
  );
}

export function hasRoom(folder: string, bytes: number): boolean {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= bytes;
}
