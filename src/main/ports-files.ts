// The real files behind the commands.

import { access, mkdir, writeFile } from "node:fs/promises";
import type { Files } from "../cli/ports.ts";
import { AppError } from "../lib/app-error.ts";
import { readInput } from "./read-input.ts";

export const files: Files = {
  readText: async (path) => {
    const bytes = await readInput(path);
    if (bytes === null) throw new AppError("not_found", `There is no file ${path}.`);
    return bytes.toString("utf8");
  },
  exists: (path) =>
    access(path).then(
      () => true,
      () => false,
    ),
  makeFolder: async (path) => {
    try {
      await mkdir(path, { recursive: true });
    } catch (cause) {
      throw new AppError("invalid_request", `The folder ${path} cannot be made (${codeOf(cause)})`, { cause });
    }
  },
  writeNew: async (path, text) => {
    try {
      await writeFile(path, text, { flag: "wx" });
      return true;
    } catch (cause) {
      if (codeOf(cause) === "EEXIST") return false;
      throw new AppError("invalid_request", `${path} cannot be written (${codeOf(cause)})`, { cause });
    }
  },
};

const codeOf = (cause: unknown): string => (cause as NodeJS.ErrnoException).code ?? "unknown reason";
