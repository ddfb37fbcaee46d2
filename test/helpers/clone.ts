// What git has of the program in a folder of its own, with the packages of this one: a clone in which nothing was built yet.

import { cpSync, mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const home = fileURLToPath(new URL("../..", import.meta.url));

/** Remove the folder afterwards. */
export function makeClone(): string {
  const clone = mkdtempSync(path.join(tmpdir(), "homework-clone-"));
  const isLeftOut = (file: string) => /[\\/](node_modules|dist)$/.test(file);
  for (const name of ["bin", "src", "web", "package.json", "tsconfig.json"])
    cpSync(path.join(home, name), path.join(clone, name), { recursive: true, filter: (file) => !isLeftOut(file) });
  for (const name of ["node_modules", "web/node_modules"]) symlinkSync(path.join(home, name), path.join(clone, name));
  return clone;
}
