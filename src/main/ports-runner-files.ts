// Files outside of the runner's tree: config.hcl, files with keys, texts that a command is given.

import { readFileSync, statSync } from "node:fs";
import type { AgentHost } from "../cli/agents/ports.ts";
import { hasCode } from "../files/has-code.ts";
import { AppError } from "../lib/app-error.ts";
import { realDisk } from "../runner/disk.ts";
import { decodeUtf8 } from "../runner/layout/text.ts";

/** A message or an objective; more than this is a mistake. */
const fileMax = 64 * 1024 * 1024;

export const runnerFiles: AgentHost["files"] = {
  read: (file) => {
    const bytes = readBytes(file);
    const text = bytes === null ? null : decodeUtf8(bytes);
    if (bytes !== null && text === null) throw new AppError("invalid_request", `${file} is not valid UTF-8.`);
    return text === null ? null : text.replace(/^\uFEFF/, "");
  },
  write: (file, text) => realDisk.replace(file, text),
};

function readBytes(file: string): Buffer | null {
  try {
    const { size } = statSync(file);
    if (size > fileMax) throw new AppError("too_large", `${file} has ${size} bytes; at most ${fileMax} are read.`);
    return readFileSync(file);
  } catch (cause) {
    if (hasCode(cause, "ENOENT", "ENOTDIR")) return null;
    if (cause instanceof AppError || !(cause instanceof Error) || !("code" in cause)) throw cause;
    const why = hasCode(cause, "EISDIR")
      ? "it is a folder"
      : hasCode(cause, "EACCES")
        ? "access is denied"
        : String(cause.code);
    throw new AppError("invalid_request", `${file} cannot be read: ${why}.`, { cause });
  }
}
