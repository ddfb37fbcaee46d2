// Copies the PostgreSQL programs to a folder that the database's user can reach, whole or not at all.

import {
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { cp } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { hasCode } from "../../files/has-code.ts";
import { isAlive, nameAfter, namedProcess, thisProcess } from "../../files/process-identity.ts";
import { withAdvice } from "./file-error.ts";

const draftPrefix = "copying-";
const packageSchema = z.object({ version: z.string() });
/** Only programs that embed or compile against PostgreSQL need these; a third of the size. */
const notNeeded = /(\.a|pkgconfig|include)$/;

/** Returns the copy, made now or by an earlier start: named after the version, so an update makes a new one. */
export async function copyBinaries(native: string, parent: string, say: (line: string) => void): Promise<string> {
  const target = path.join(parent, `postgres-programs-${versionOf(native)}`);
  const ready = path.join(target, "native");
  if (existsSync(ready)) return ready;
  say(`Copying the PostgreSQL programs to ${target}, where the database's user can reach them`);
  await withAdvice(parent, () => copyWhole(native, target, parent));
  return ready;
}

async function copyWhole(native: string, target: string, parent: string): Promise<void> {
  sweepDrafts(parent);
  const draft = mkdtempSync(path.join(parent, draftPrefix + nameAfter(thisProcess(), "")));
  try {
    await cp(native, path.join(draft, "native"), {
      recursive: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
      filter: (source) => !notNeeded.test(source),
    });
    openForAll(draft);
    renameSync(draft, target);
  } catch (error) {
    // Another process was faster: its copy is as good.
    if (!hasCode(error, "ENOTEMPTY", "EEXIST")) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** What a process that was killed while it copied left. */
function sweepDrafts(parent: string): void {
  for (const name of readdirSync(parent).filter((found) => found.startsWith(draftPrefix))) {
    const author = namedProcess(name);
    if (!author || !isAlive(author)) rmSync(path.join(parent, name), { recursive: true, force: true });
  }
}

function openForAll(file: string): void {
  const found = lstatSync(file);
  if (found.isSymbolicLink()) return;
  const runs = found.isDirectory() || (found.mode & 0o100) !== 0;
  chmodSync(file, runs ? 0o755 : 0o644);
  if (found.isDirectory()) for (const name of readdirSync(file)) openForAll(path.join(file, name));
}

function versionOf(native: string): string {
  const file = path.resolve(native, "..", "package.json");
  if (!existsSync(file)) return "unknown";
  return packageSchema.parse(JSON.parse(readFileSync(file, "utf8"))).version;
}
