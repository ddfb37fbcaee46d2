// The files that may be read over HTTP, by name: those that are meant to be read, and no others. Keys are in config.hcl, which is not
// among them, and no name has a separator in it.

import { closeSync, constants, fstatSync, readSync } from "node:fs";
import path from "node:path";
import { AppError } from "../../lib/app-error.ts";
import { quote } from "../layout/ids.ts";
import type { ProjectFolder, RunFolder, RunnerRoot, TaskFolder } from "../layout/runner-root.ts";
import { decodeUtf8 } from "../layout/text.ts";

export type NamedFile = { readonly name: string; readonly bytes: number };
export type FileText = {
  readonly name: string;
  readonly text: string;
  readonly bytes: number;
  readonly is_cut: boolean;
  readonly problem: string | null;
};

/** What `run-agent task` said when it was started from a page. */
export const startLog = "start-log.txt";

const fact = /^(?:FACT|TASK-FACTS)-[A-Za-z0-9._-]{1,180}\.md$/;
const attachment = /^ATTACH-\d{8}-\d{10}-[a-z0-9-]{1,60}\.[a-z0-9]{1,8}$/;
const taskNames = ["TASK.md", "TASK_STATE.md", "TASK-CONFIG.yaml", "DONE", "STOP-REQUESTED", startLog];
const runNames = ["prompt.md", "output.md", "run-info.yaml", "agent-stdout.txt", "agent-stderr.txt", "shim-log.txt"];

type Place = ProjectFolder | TaskFolder | RunFolder;

function isAllowed(place: Place, name: string): boolean {
  if ("runId" in place) return runNames.includes(name);
  if (fact.test(name) || attachment.test(name)) return true;
  return "taskId" in place && taskNames.includes(name);
}

/** Files listed for one place; a folder may hold a hundred thousand facts. */
const filesMax = 200;

export function listFiles({ disk }: RunnerRoot, place: Place): readonly NamedFile[] {
  return disk
    .list(place.path)
    .filter((name) => isAllowed(place, name) && disk.kindOf(path.join(place.path, name)) === "file")
    .slice(0, filesMax)
    .map((name) => ({ name, bytes: disk.sizeOf(path.join(place.path, name)) ?? 0 }));
}

/** The last `tail` bytes. */
export function readFileText({ disk }: RunnerRoot, place: Place, name: string, tail: number): FileText {
  if (!isAllowed(place, name)) throw new AppError("not_found", `${quote(name)} is not a file that can be shown here.`);
  const file = path.join(place.path, name);
  if (disk.kindOf(file) === null) throw new AppError("not_found", `There is no ${name}.`);
  const fd = disk.open(file, constants.O_RDONLY);
  try {
    const { size } = fstatSync(fd);
    const from = Math.max(0, size - tail);
    const bytes = Buffer.alloc(size - from);
    const read = bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, from));
    return { name, bytes: size, is_cut: from > 0, ...decode(read, from > 0) };
  } finally {
    closeSync(fd);
  }
}

/** The end of a file may begin inside of a character; that is no reason to call it foreign. */
function decode(bytes: Buffer, isCut: boolean): Pick<FileText, "text" | "problem"> {
  const strict = decodeUtf8(isCut ? bytes.subarray(Math.max(0, bytes.indexOf(10) + 1)) : bytes);
  if (strict !== null) return { text: strict.replace(/^\uFEFF/, ""), problem: null };
  return { text: new TextDecoder().decode(bytes), problem: "This file is not valid UTF-8." };
}
