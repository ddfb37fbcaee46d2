// A text that an agent left in its work folder, for whoever keeps it elsewhere. A link, or a second name of a file, shows what lies
// outside of the folder: it is not read.

import path from "node:path";
import { readRegular } from "../../files/regular-file.ts";
import { AppError } from "../../lib/app-error.ts";

/** Null: there is no text of that name, or it has more than `max` bytes. */
export function readWorkText(folder: string, file: string, max: number): string | null {
  try {
    return readRegular(path.join(folder, file), max)?.toString("utf8") ?? null;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
