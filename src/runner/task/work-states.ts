// How the work of a task stands, as fingerprints: the files of the work folder, the git head, the facts and TASK_STATE.md. Two of them
// compared say whether an agent has got anywhere. Its words, its runs and what the runner itself writes do not count.

import { createHash } from "node:crypto";
import { type Dirent, lstatSync, readdirSync, readlinkSync, type Stats } from "node:fs";
import path from "node:path";
import type { ContentState } from "../../domain/run/gate/progress.ts";
import { readRegular } from "../../files/regular-file.ts";
import { openBus } from "../bus/bus.ts";
import { readBus } from "../bus/read-bus.ts";
import { readFacts } from "../layout/facts.ts";
import type { RunnerRoot, TaskFolder } from "../layout/runner-root.ts";
import { readTaskState } from "../layout/task-files.ts";
import { readGitHead } from "./git-head.ts";

/** JSON: the journal keeps it. */
export type WorkState = {
  readonly files: string;
  readonly head: string;
  readonly state: string;
  readonly facts: readonly string[];
};

/** More is looked at by names and sizes alone, and beyond the second number not at all. */
const hashedBytesMax = 64 * 1024 * 1024;
const filesMax = 20_000;
/** A larger file is told by its size and time. */
const fileBytesMax = 4 * 1024 * 1024;
const factsMax = 200;

/** What tools leave behind by running. */
const leavings = new Set(
  ".git node_modules .venv venv __pycache__ .pytest_cache .mypy_cache .ruff_cache .cache .gradle .next .nuxt .turbo coverage target .tox .idea .DS_Store".split(
    " ",
  ),
);
/** At the top of a task's folder: what the runner writes, and what is looked at by itself. */
const ofRunner = /^(?:runs|loop.*|job-keys|job-locks|DONE|STOP-REQUESTED|TASK.*|ATTACH-.*)$|\.lock$/;
const isLog = (name: string): boolean => /\.(?:log|tmp|swp|pyc)$/.test(name);

export function readWork(root: RunnerRoot, task: TaskFolder, workFolder: string): WorkState {
  const state = readTaskState(root, task);
  return {
    files: hashFolder(workFolder, task.path),
    head: readGitHead(workFolder),
    state: state.kind === "text" ? digest(plainState(state.text)) : "",
    facts: listFacts(root, task),
  };
}

/** Only a content that was there neither before nor ever counts as new: `findNewStates` knows the earlier ones. */
export function compareWork(before: WorkState, now: WorkState): readonly ContentState[] {
  const known = new Set(before.facts);
  return [
    { before: `files:${before.files}`, now: `files:${now.files}` },
    { before: `head:${before.head}`, now: `head:${now.head}` },
    // A state that was taken away is no news.
    { before: `state:${before.state}`, now: now.state === "" ? `state:${before.state}` : `state:${now.state}` },
    ...now.facts.filter((fact) => !known.has(fact)).map((fact) => ({ before: null, now: `fact:${fact}` })),
  ];
}

const digest = (text: string | Buffer): string => createHash("sha256").update(text).digest("hex").slice(0, 32);

/** A time that is newer says nothing about the work. */
const plainState = (text: string): string =>
  text
    .replaceAll(
      /\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?|\b\d\d?:\d\d(?::\d\d)?\b/g,
      "",
    )
    .replaceAll(/\s+/g, " ")
    .trim();

function listFacts(root: RunnerRoot, task: TaskFolder): readonly string[] {
  const onBus = readBus(openBus(root, task)).entries.filter(
    ({ type, meta }) => type === "FACT" && meta.by !== "run-agent",
  );
  const texts = [...onBus.map(({ body }) => body), ...readFacts(root, task).map(({ text }) => text)];
  return [...new Set(texts.map((text) => digest(text.replaceAll(/\s+/g, " ").trim())))].slice(-factsMax);
}

type Walk = { readonly taskFolder: string; readonly lines: string[]; files: number; bytes: number };

function hashFolder(folder: string, taskFolder: string): string {
  const walk: Walk = { taskFolder, lines: [], files: 0, bytes: 0 };
  gather(walk, folder, "");
  return digest(walk.lines.join("\n"));
}

function gather(walk: Walk, folder: string, below: string): void {
  for (const entry of readFolder(folder)) {
    if (walk.files >= filesMax) return;
    if (isIgnored(walk, folder, entry.name, below)) continue;
    const name = below === "" ? entry.name : `${below}/${entry.name}`;
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) gather(walk, file, name);
    else walk.lines.push(`${name}\0${describe(walk, file, entry)}`);
  }
}

/** The task's folder may lie in the work folder; what is in it is looked at by itself. */
function isIgnored({ taskFolder }: Walk, folder: string, name: string, below: string): boolean {
  if (leavings.has(name) || isLog(name)) return true;
  if (below !== "" && path.join(folder, name) === taskFolder) return true;
  return folder === taskFolder && ofRunner.test(name);
}

/** In the order of their names. A folder that is gone or closed to us is empty. */
function readFolder(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

function describe(walk: Walk, file: string, entry: Dirent): string {
  walk.files += 1;
  try {
    if (entry.isSymbolicLink()) return `link ${readlinkSync(file)}`;
    if (!entry.isFile()) return "other";
    const stats: Stats = lstatSync(file);
    if (stats.size > fileBytesMax || walk.bytes + stats.size > hashedBytesMax) return `${stats.size} ${stats.mtimeMs}`;
    walk.bytes += stats.size;
    return digest(readRegular(file, fileBytesMax, { allowsHardLinks: true }) ?? "gone");
  } catch {
    return "gone";
  }
}
