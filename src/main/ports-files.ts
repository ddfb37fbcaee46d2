// The real file system behind the commands.

import { access, readFile } from "node:fs/promises";
import type { Files } from "../cli/ports.ts";
import { AppError } from "../lib/app-error.ts";

export const realFiles: Files = {
  readText: async (path) => {
    try {
      return await readFile(path, "utf8");
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      if (code === "ENOENT") throw new AppError("not_found", `There is no file ${path}`, { cause });
      throw new AppError("invalid_request", `${path} cannot be read (${code ?? "unknown reason"})`, { cause });
    }
  },
  exists: (path) =>
    access(path).then(
      () => true,
      () => false,
    ),
};
