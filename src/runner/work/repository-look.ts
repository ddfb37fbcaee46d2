// What a person's repository is like outside of a run's branch: refs, settings, hooks. Agents share it, so it is looked at before and after
// each of them; what is different is told. Values are kept as marks only: settings may hold keys.

import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Git } from "./git.ts";
import type { WorkFolder } from "./work-folder.ts";

/** Names in words, with a mark of what each has. */
export type RepositoryLook = Readonly<Record<string, string>>;

/** Branches and tags that are looked at one by one; the rest counts together. */
const refsMax = 500;
const hooksMax = 100;
const fileMax = 1_000_000;
const toldMax = 10;

const markOf = (bytes: string | Buffer): string => createHash("sha256").update(bytes).digest("hex").slice(0, 12);

/** Null: a folder of the run alone, where nothing is anyone else's. */
export async function lookAtRepository({ git, store, repository }: WorkFolder): Promise<RepositoryLook | null> {
  if (repository === null) return null;
  const head = await git.look(repository, ["symbolic-ref", "--quiet", "HEAD"], { ok: [0, 1] });
  return {
    ...(await lookAtRefs(git, repository)),
    ...(await lookAtSettings(git, repository)),
    ...lookAtFiles(store.common, "hooks", "the hook "),
    ...lookAtFiles(store.common, "info", "the file .git/info/"),
    "what is checked out": head.stdout.trim(),
  };
}

/** Branches of runs change as they work. */
const isOfRun = (name: string): boolean => name.startsWith("refs/heads/homework/");

async function lookAtRefs(git: Git, repository: string): Promise<RepositoryLook> {
  const asked = ["for-each-ref", "--format=%(objectname) %(refname)", "refs/heads", "refs/tags"];
  const lines = (await git.look(repository, asked)).stdout.split("\n").filter((line) => line !== "");
  const refs = lines.map((line) => [line.slice(line.indexOf(" ") + 1), line.split(" ")[0] ?? ""] as const);
  const own = refs.filter(([name]) => !isOfRun(name));
  const named = own.slice(0, refsMax).map(([name, id]) => [nameRef(name), id.slice(0, 12)]);
  return { ...Object.fromEntries(named), "other branches or tags": markOf(own.slice(refsMax).join("\n")) };
}

const nameRef = (name: string): string =>
  name.replace(/^refs\/heads\//, "the branch ").replace(/^refs\/tags\//, "the tag ");

async function lookAtSettings(git: Git, repository: string): Promise<RepositoryLook> {
  const { stdout } = await git.look(repository, ["config", "--local", "--list", "-z", "--no-includes"]);
  const values = new Map<string, string>();
  for (const each of stdout.split("\0").filter((part) => part !== "")) {
    const [name = ""] = each.split("\n", 1);
    const key = `the setting ${name}`;
    values.set(key, markOf((values.get(key) ?? "") + each));
  }
  return Object.fromEntries(values);
}

function lookAtFiles(common: string, folder: string, what: string): RepositoryLook {
  const place = path.join(common, folder);
  if (lstatSync(place, { throwIfNoEntry: false })?.isDirectory() !== true) return {};
  const names = readdirSync(place).filter((name) => !name.endsWith(".sample"));
  const marks = names.slice(0, hooksMax).map((name) => [`${what}${name}`, markFile(path.join(place, name))]);
  return Object.fromEntries(marks);
}

function markFile(file: string): string {
  const found = lstatSync(file, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size <= fileMax ? markOf(readFileSync(file)) : `${found?.mtimeMs ?? ""}`;
}

/** A sentence for each difference; empty: nothing has changed. */
export function tellDifferences(before: RepositoryLook, after: RepositoryLook): readonly string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => before[name] !== after[name],
  );
  const told = names.slice(0, toldMax).map((name) => `${name} ${tellHow(before[name], after[name])}`);
  return names.length > toldMax ? [...told, `and ${names.length - toldMax} more`] : told;
}

const tellHow = (before: string | undefined, after: string | undefined): string =>
  before === undefined ? "is new" : after === undefined ? "is gone" : "changed";
