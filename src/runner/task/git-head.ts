// The commit that a work folder stands at, read from the files of git: no program is started in a folder that agents write to.

import { statSync } from "node:fs";
import path from "node:path";
import { readRegular } from "../../files/regular-file.ts";

const depthMax = 64;
/** `packed-refs` of a large repository. */
const fileMax = 16 * 1024 * 1024;

/** Empty: the folder is in no repository, or in one without a commit. */
export function readGitHead(folder: string): string {
  const repository = findRepository(folder);
  if (repository === null) return "";
  const head = readLine(path.join(repository, "HEAD"));
  const name = /^ref: (refs\/[\w./-]+)$/.exec(head)?.[1];
  if (name === undefined || name.includes("..")) return head;
  // A worktree has its own HEAD and shares the branches.
  const shared = path.resolve(repository, readLine(path.join(repository, "commondir")) || ".");
  const loose = readLine(path.join(shared, name));
  return loose === "" ? `${name} ${findPacked(shared, name)}` : `${name} ${loose}`;
}

function findRepository(folder: string): string | null {
  let at = folder;
  for (let depth = 0; depth < depthMax; depth++) {
    const git = path.join(at, ".git");
    const kind = kindOf(git);
    if (kind === "folder") return git;
    const named = kind === "file" ? /^gitdir: (.+)$/.exec(readLine(git))?.[1] : undefined;
    if (named !== undefined) return path.resolve(at, named);
    if (path.dirname(at) === at) return null;
    at = path.dirname(at);
  }
  return null;
}

function kindOf(file: string): "file" | "folder" | null {
  try {
    return statSync(file).isDirectory() ? "folder" : "file";
  } catch {
    return null;
  }
}

function findPacked(repository: string, name: string): string {
  const line = readAll(path.join(repository, "packed-refs"))
    .split("\n")
    .find((each) => each.endsWith(` ${name}`));
  return line?.split(" ")[0] ?? "";
}

const readLine = (file: string): string => readAll(file).split("\n")[0]?.trim() ?? "";

function readAll(file: string): string {
  try {
    return readRegular(file, fileMax, { followsLinks: true })?.toString("utf8") ?? "";
  } catch {
    return "";
  }
}
