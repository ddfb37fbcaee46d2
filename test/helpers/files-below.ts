// Lists the files of a folder and all its folders.

import { readdirSync } from "node:fs";
import path from "node:path";

/** Paths of all files below a folder, dependencies and build results left out. */
export function filesBelow(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.posix.join(entry.parentPath.replaceAll("\\", "/"), entry.name))
    .filter((file) => !/(^|\/)(node_modules|dist)\//.test(file));
}
