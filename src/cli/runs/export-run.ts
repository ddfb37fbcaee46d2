// Writes what a run made, and its report, as Markdown files. A file that is there already is never overwritten: the new one gets
// a name that is free.

import path from "node:path";
import type { Run } from "../../protocol/api.ts";
import { counted } from "../../protocol/figures.ts";
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
  const files = await readRunFiles(given.api, run, (await given.services.findServer()) ?? "");
  await host.files.makeFolder(at);
  const written: WrittenFile[] = [];
  for (const file of files) written.push(await writeFree(host.files, at, file));
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

async function writeFree(files: Files, folder: string, { name, text }: RunFile): Promise<WrittenFile> {
  for (let number = 1; number <= namesMax; number++) {
    const tried = number === 1 ? `${name}.md` : `${name} ${number}.md`;
    const at = path.join(folder, tried);
    if (await files.writeNew(at, text)) return { name: tried, how: number === 1 ? "new" : "renamed" };
    if ((await files.readText(at)) === text) return { name: tried, how: "unchanged" };
  }
  throw new Error(`bug: ${namesMax} files have the name ${name}`);
}
