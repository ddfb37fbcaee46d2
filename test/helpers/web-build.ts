// Whether the pages in web/dist are older than what they are built from.

import { existsSync, statSync } from "node:fs";
import { filesBelow } from "./files-below.ts";

const result = "web/dist/index.html";
const madeFrom = ["web/index.html", "web/package.json", "web/vite.config.ts", "package-lock.json"];
const madeFromFolders = ["web/src", "web/build", "src/protocol", "src/domain", "src/lib"];

/** Why the pages have to be built, or undefined where they need not be. */
export function whyBuild(): string | undefined {
  if (!existsSync(result)) return "they have not been built yet";
  const builtAt = statSync(result).mtimeMs;
  const newer = [...madeFrom, ...madeFromFolders.flatMap(filesBelow)].find(
    (file) => existsSync(file) && !/\.test\.tsx?$/.test(file) && statSync(file).mtimeMs > builtAt,
  );
  return newer && `${newer} is newer than they are`;
}
