// A file that settings are in, or that they name: keys and tokens. A device, a pipe or a folder is refused in one sentence: settings are
// read at every start, and nothing may be waited for there.

import { ofOwner, readRegular } from "../files/regular-file.ts";
import { AppError } from "../lib/app-error.ts";
import { asRefusal } from "./read-input.ts";

/** Settings and keys have a few kilobytes. */
const settingFileMax = 1024 * 1024;

/** Null: there is no such file. */
export function readSettingFile(file: string): Buffer | null {
  try {
    return readRegular(file, settingFileMax, ofOwner);
  } catch (cause) {
    if (!(cause instanceof AppError)) throw asRefusal(file, cause);
    throw new AppError("invalid_request", `${file} cannot be read: ${cause.details.why}.`, { cause });
  }
}
