// Files that an agent asks us to read and write. Only inside of the folders it works in: where a path really leads is what counts, so a
// link that leads outside is refused. It keeps our own hands off; an agent's own tools are not bound by it.

import { lstatSync, mkdirSync, realpathSync } from "node:fs";
import path from "node:path";
import { hasCode } from "../../files/has-code.ts";
import { readRegular, writeRegular } from "../../files/regular-file.ts";
import { AppError } from "../../lib/app-error.ts";
import { quote } from "../layout/ids.ts";

export type WorkFiles = {
  /** Does the path lead into one of the folders? A relative one begins at the first. */
  readonly isInside: (file: string) => boolean;
  /** `line` counts from 1. */
  readonly read: (file: string, line: number | null, limit: number | null) => string;
  readonly write: (file: string, text: string) => void;
};

const sizeMax = 16 * 1024 * 1024;

export function openWorkFiles(folders: readonly string[]): WorkFiles {
  const roots = folders.map((folder) => realpathSync(folder));
  const [first = "/"] = roots;
  const locate = (file: string): string | null => {
    if (file === "" || file.includes("\0")) return null;
    const real = findReal(path.isAbsolute(file) ? file : `${first}${path.sep}${file}`);
    return real !== null && roots.some((root) => contains(root, real)) ? real : null;
  };
  const require = (file: string): string => {
    const real = locate(file);
    if (real === null) throw new AppError("forbidden", `${quote(file)} is outside of the work folder.`);
    return real;
  };
  return {
    isInside: (file) => locate(file) !== null,
    read: (file, line, limit) => cutLines(readOne(require(file)), line, limit),
    write: (file, text) => writeOne(require(file), text),
  };
}

const contains = (root: string, file: string): boolean => {
  const inside = path.relative(root, file);
  return !path.isAbsolute(inside) && inside.split(path.sep)[0] !== "..";
};

/**
 * Where a path leads, as the system sees it: `link/..` is above the link's target. Links are followed as far as it exists, the rest is as
 * it is called. Null: it leads nowhere.
 */
function findReal(file: string): string | null {
  const rest: string[] = [];
  for (let above = file; ; above = path.dirname(above)) {
    try {
      return rest.includes("..") ? null : path.join(realpathSync.native(above), ...rest);
    } catch (error) {
      // A link to nothing could lead anywhere once it is written through.
      if (!hasCode(error, "ENOENT") || isLink(above) || above === path.dirname(above)) return null;
    }
    rest.unshift(path.basename(above));
  }
}

const isLink = (file: string): boolean => lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;

/** Package managers give one file many names; the agent could read each of them by itself. */
const ofAgent = { allowsHardLinks: true, mode: 0o666 };

function readOne(file: string): string {
  const bytes = readRegular(file, sizeMax, ofAgent);
  if (bytes === null) throw new AppError("not_found", `There is no file ${quote(file)}.`);
  return bytes.toString("utf8");
}

function writeOne(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeRegular(file, text, ofAgent);
}

function cutLines(text: string, line: number | null, limit: number | null): string {
  if (line === null && limit === null) return text;
  const from = Math.max((line ?? 1) - 1, 0);
  return text
    .split("\n")
    .slice(from, limit === null ? undefined : from + Math.max(limit, 0))
    .join("\n");
}
