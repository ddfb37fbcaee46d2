// A repository as the platform reads it: where its objects lie, what is checked out, and whether agents can work on it at all.

import { lstatSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Git, ObjectStore } from "./git.ts";

/** A shallow clone with more ends is no clone that a person works in. */
const shallowMax = 1_000_000;
const namedMax = 3;

/** The repository that a folder is in; null: none, or git is not there. */
export async function findRepository(git: Git, folder: string): Promise<string | null> {
  try {
    const { stdout } = await git.look(folder, ["rev-parse", "--show-toplevel"]);
    return stdout.trim() || null;
  } catch {
    return null;
  }
}

export async function openStore(git: Git, repository: string): Promise<ObjectStore> {
  const asked = ["rev-parse", "--path-format=absolute", "--git-common-dir", "--git-path", "objects"];
  const { stdout } = await git.look(repository, [...asked, "--show-object-format"]);
  const [common = "", objects = "", format = "sha1"] = stdout.trim().split("\n");
  return { common, objects, format, shallow: readShallow(path.join(common, "shallow")) };
}

function readShallow(file: string): string {
  const found = lstatSync(file, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size <= shallowMax ? readFileSync(file, "utf8") : "";
}

/** The commit that a name stands for; empty: there is none. */
export async function findCommit(git: Git, repository: string, name: string): Promise<string> {
  const asked = ["rev-parse", "--verify", "--quiet", `${name}^{commit}`];
  return (await git.look(repository, asked, { ok: [0, 1, 128] })).stdout.trim();
}

/** Why agents cannot work on this repository, as a sentence; null: they can. */
export async function findRepositoryProblem(git: Git, repository: string): Promise<string | null> {
  const head = await findCommit(git, repository, "HEAD");
  if (head === "") return `${repository} has no commit yet; commit something there first, or leave the folder out`;
  const submodules = await listSubmodules(git, repository, head);
  if (submodules.length === 0) return null;
  const named = submodules.slice(0, namedMax).join(", ");
  const more = submodules.length > namedMax ? ` and ${submodules.length - namedMax} more` : "";
  return `${repository} has submodules (${named}${more}), and agents would not see their files; let them work in the repository of a submodule itself, or leave the folder out`;
}

async function listSubmodules(git: Git, repository: string, commit: string): Promise<readonly string[]> {
  const store = await openStore(git, repository);
  const { stdout } = await git.work(store, ["ls-tree", "-r", "-z", "--full-tree", commit]);
  return stdout.split("\0").flatMap((line) => (line.startsWith("160000 ") ? [line.slice(line.indexOf("\t") + 1)] : []));
}
