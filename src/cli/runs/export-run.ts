// Writes what a run made, and its report, as Markdown files. A file that is there already is never overwritten: the new one gets
// a name that is free.

import path from "node:path";
import type { Run } from "../../protocol/api.ts";
import { counted } from "../../protocol/figures.ts";
import { linkFiles } from "../../protocol/link-files.ts";
import { nameApart } from "../../protocol/name-apart.ts";
import { type RunFile, readRunFiles } from "../../protocol/run-files.ts";
import type { ApiInvocation } from "../invocation.ts";
import { oneLine } from "../plain-text.ts";
import type { Files } from "../ports.ts";

type WrittenFile = {
  readonly name: string;
  /** `renamed`: another file has the name it would have had; `unchanged`: the same text was there already. */
  readonly how: "new" | "renamed" | "unchanged";
};

/** Names that are tried for one file. */
const namesMax = 1_000;

/** Says what it wrote; with --json that is the data of the command, unless `isAside`. */
export async function exportRun(given: ApiInvocation, run: Run, folder: string, isAside = false): Promise<void> {
  const { host, output } = given;
  const at = path.resolve(host.workingFolder, folder);
  const origin = (await given.services.findServer()) ?? "";
  const files = nameApart(await readRunFiles(given.api, run, origin));
  await host.files.makeFolder(at);
  const written = await writeLinked(host.files, at, files, origin);
  const fresh = written.filter(({ how }) => how !== "unchanged").length;
  if (isAside) output.say("");
  output.say(`${fresh === 0 ? "Nothing new for" : `Wrote ${counted(fresh, "file")} to`} ${oneLine(folder)}:`);
  for (const each of written) output.say(`  ${each.name}${howWords[each.how]}`);
  if (!isAside) output.data({ folder: at, files: written }, () => "");
}

const howWords: Readonly<Record<WrittenFile["how"], string>> = {
  new: "",
  renamed: " (renamed, because another file has that name)",
  unchanged: " (unchanged)",
};

/** Names first, as files link to each other by them: where another file has a name, the next one is tried for all that link to it. */
async function writeLinked(
  files: Files,
  folder: string,
  wanted: readonly RunFile[],
  origin: string,
): Promise<readonly WrittenFile[]> {
  let named = wanted;
  for (let round = 0; round < namesMax; round++) {
    const linked = linkFiles(named, origin);
    const states = await Promise.all(linked.map(({ name, text }) => stateOf(files, path.join(folder, name), text)));
    if (states.every((state) => state !== "taken")) {
      const written = await writeAll(files, folder, wanted, linked);
      if (written !== null) return written;
    }
    named = renameTaken(
      named,
      named.filter((_, at) => states[at] === "taken"),
    );
  }
  throw new Error(`bug: ${namesMax} files have the names that were tried in ${folder}`);
}

/** A file that links to another one of them is looked at again first: with the other's new name its text may be the one that is there. */
function renameTaken(named: readonly RunFile[], taken: readonly RunFile[]): readonly RunFile[] {
  const waits = (file: RunFile) =>
    taken.some((other) => other !== file && other.ids.some((id) => file.text.includes(id)));
  const free = taken.filter((file) => !waits(file));
  const renamed = new Set(free.length > 0 ? free : taken);
  const names = new Set(named.map(({ name }) => name.toLowerCase()));
  return named.map((file) => (renamed.has(file) ? { ...file, name: nextName(file.name, names) } : file));
}

async function stateOf(files: Files, at: string, text: string): Promise<"free" | "same" | "taken"> {
  if (!(await files.exists(at))) return "free";
  return (await files.readText(at)) === text ? "same" : "taken";
}

/** `Plan.md`, `Plan 2.md`, …; not one that another file of this export has. */
function nextName(name: string, taken: Set<string>): string {
  const [, stem = "", number = "1"] = /^(.*?)(?: (\d{1,4}))?\.md$/s.exec(name) ?? [];
  let next = Number(number);
  let tried = name;
  while (taken.has(tried.toLowerCase())) {
    next += 1;
    tried = `${stem} ${next}.md`;
  }
  taken.add(tried.toLowerCase());
  return tried;
}

/** Null: another file came to have one of the names meanwhile. */
async function writeAll(
  files: Files,
  folder: string,
  wanted: readonly RunFile[],
  linked: readonly RunFile[],
): Promise<readonly WrittenFile[] | null> {
  const written: WrittenFile[] = [];
  for (const [at, { name, text }] of linked.entries()) {
    const place = path.join(folder, name);
    const isNew = await files.writeNew(place, text);
    if (!isNew && (await stateOf(files, place, text)) !== "same") return null;
    const how = isNew ? (name === wanted[at]?.name ? "new" : "renamed") : "unchanged";
    written.push({ name, how });
  }
  return written;
}
