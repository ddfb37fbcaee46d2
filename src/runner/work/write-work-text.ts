// A file that the platform writes into a work folder, where an agent may have put a pipe, a link or a folder under its name.

import path from "node:path";
import { writeRegular } from "../../files/regular-file.ts";
import { AppError } from "../../lib/app-error.ts";

/** False: something else stands there, and nothing was written. */
export function writeWorkText(folder: string, name: string, text: string): boolean {
  try {
    writeRegular(path.join(folder, name), text, { mode: 0o666 });
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
