// Files outside of the runner's tree: config.hcl, files with keys, texts that a command is given.

import type { AgentHost } from "../cli/agents/ports.ts";
import { AppError } from "../lib/app-error.ts";
import { realDisk } from "../runner/disk.ts";
import { decodeUtf8 } from "../runner/layout/text.ts";
import { readInput } from "./read-input.ts";
import { readSettingFile } from "./read-setting-file.ts";

export const runnerFiles: AgentHost["files"] = {
  read: (file) => toText(file, readSettingFile(file)),
  readInput: async (file) => toText(file, await readInput(file)),
  write: (file, text) => realDisk.replace(file, text),
};

function toText(file: string, bytes: Buffer | null): string | null {
  const text = bytes === null ? null : decodeUtf8(bytes);
  if (bytes !== null && text === null) throw new AppError("invalid_request", `${file} is not valid UTF-8.`);
  return text === null ? null : text.replace(/^\uFEFF/, "");
}
