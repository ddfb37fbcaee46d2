// Facts: Markdown with a YAML front matter, `FACT-<time>-<name>.md` in a project and `TASK-FACTS-<time>.md` in a task. Agents write
// them as well, so a fact without a proper front matter is shown with what it has.

import path from "node:path";
import { AppError } from "../../lib/app-error.ts";
import type { ProjectFolder, RunnerRoot, TaskFolder } from "./runner-root.ts";
import { makeSlug } from "./slug.ts";
import { readText, requireText, smallTextMax, writeText } from "./text.ts";
import { toIso, toTickStamp } from "./timestamps.ts";
import { parseMapping, toYaml } from "./yaml-file.ts";

export type Fact = {
  readonly file: string;
  readonly created_at: string;
  readonly scope: string;
  readonly run_id: string;
  readonly title: string;
  readonly text: string;
  /** Why it is not as it should be; null: it is. */
  readonly problem: string | null;
};

export type NewFact = { readonly title: string; readonly run_id: string; readonly text: string };

const factName = /^(?:FACT|TASK-FACTS)-[A-Za-z0-9._-]{1,200}\.md$/;
const namesTried = 1_000;

/** Returns the name of its file. */
export function writeFact(root: RunnerRoot, place: ProjectFolder | TaskFolder, fact: NewFact): string {
  const scope = "taskId" in place ? "task" : "project";
  const now = root.nanos();
  const file = freeName(root, place.path, now, (stamp) =>
    scope === "task" ? `TASK-FACTS-${stamp}.md` : `FACT-${stamp}-${makeSlug(fact.title) ?? "fact"}.md`,
  );
  const head = { created_at: toIso(now), scope, run_id: fact.run_id, title: requireText("title", fact.title) };
  writeText(root.disk, file, `---\n${toYaml(head)}---\n${fact.text}`);
  return path.basename(file);
}

/** The first name of this moment or of the next ticks that is free. */
export function freeName(root: RunnerRoot, folder: string, now: bigint, name: (stamp: string) => string): string {
  for (let tick = 0n; tick < namesTried; tick++) {
    const file = path.join(folder, name(toTickStamp(now + tick * 100_000n)));
    if (root.disk.kindOf(file) === null) return file;
  }
  throw new AppError("already_exists", `No free name was found in ${folder}.`);
}

/** Of one fact, and of all that are read at once: the older ones are then named and not read. */
const factBytesMax = smallTextMax;
const bytesMax = 16 * 1024 * 1024;

/** In order of their names, which is the order of their times; `last`: at most so many of the newest. */
export function readFacts(root: RunnerRoot, place: ProjectFolder | TaskFolder, last = Infinity): readonly Fact[] {
  const names = root.disk.list(place.path).filter((name) => factName.test(name));
  const facts: Fact[] = [];
  let left = bytesMax;
  for (const name of names.slice(-last).toReversed()) {
    const fact = readFact(root, path.join(place.path, name), Math.min(factBytesMax, left));
    left -= fact.text.length;
    facts.push(fact);
  }
  return facts.toReversed();
}

function readFact(root: RunnerRoot, file: string, max: number): Fact {
  const empty = { file: path.basename(file), created_at: "", scope: "", run_id: "", title: "", text: "" };
  const read = readText(root.disk, file, max);
  if (read.kind === "missing") return { ...empty, problem: `${file} is gone.` };
  if (read.kind === "unreadable") return { ...empty, problem: read.why };
  const match = /^---\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|$)/s.exec(read.text);
  const head = match === null ? null : parseMapping(match[1] ?? "");
  if (match === null || head === null)
    return { ...empty, text: read.text, problem: `${file} has no front matter (created_at, scope, run_id, title).` };
  const keys = ["created_at", "scope", "run_id", "title"] as const;
  const missing = keys.filter((key) => typeof head[key] !== "string" || head[key] === "");
  const values = Object.fromEntries(keys.map((key) => [key, typeof head[key] === "string" ? head[key] : ""]));
  return {
    ...empty,
    ...values,
    text: read.text.slice(match[0].length),
    problem: missing.length === 0 ? null : `${file} does not say: ${missing.join(", ")}.`,
  };
}
