// A file that a command is given to read: an objective, a message, a document. It may be a pipe (`<(…)`), so it is read as it comes, up
// to a limit, and a signal is heard meanwhile.

import { createReadStream } from "node:fs";
import { hasCode } from "../files/has-code.ts";
import { AppError } from "../lib/app-error.ts";

/** More than this is a mistake. */
const inputMax = 64 * 1024 * 1024;

/** Null: there is no such file. */
export async function readInput(file: string): Promise<Buffer | null> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of createReadStream(file)) {
      pieces.push(piece);
      length += piece.length;
      if (length > inputMax)
        throw new AppError("too_large", `${file} is too large: at most ${inputMax} bytes are read.`);
    }
    return Buffer.concat(pieces, length);
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return null;
    throw asRefusal(file, error);
  }
}

const reasons: Readonly<Record<string, string>> = { EISDIR: "it is a folder", EACCES: "access is denied" };

/** A sentence for what the system refused; anything else stays. */
export function asRefusal(file: string, cause: unknown): unknown {
  if (cause instanceof AppError || !(cause instanceof Error) || !("code" in cause)) return cause;
  const code = String(cause.code);
  return new AppError("invalid_request", `${file} cannot be read: ${reasons[code] ?? code}.`, { cause });
}
