// One run of vitest, shown as it goes and counted afterwards.

import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { runShown, works } from "./programs.ts";

export type Counts = {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** What failed, for the end of a long output. */
  readonly failures: readonly string[];
};

export type Report = {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
};

export const vitestProgram = path.join(
  path.dirname(createRequire(import.meta.url).resolve("vitest/package.json")),
  "vitest.mjs",
);

export async function runVitest(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Counts> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "homework-test-report-"));
  const file = path.join(folder, "report.json");
  try {
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
    const code = await runShown(process.execPath, [vitestProgram, "run", ...reporters, ...args], {
      ...process.env,
      // Tests start many processes of ours, and most of the time each of them takes is compiling the same files again.
      NODE_COMPILE_CACHE: path.join(os.tmpdir(), "node-compile-cache"),
      TMPDIR: findQuickFolder() ?? os.tmpdir(),
      ...env,
    });
    return countRun(code, existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { testResults: [] });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const memory = "/dev/shm";
/** A whole run has less than two at any moment. */
const memoryNeeded = 8 * 1024 ** 3;

/**
 * Hundreds of databases are made and dropped, and a file in memory costs a tenth less of all that than one on a disk. Where there is little
 * room, or programs may not run from there, null. Always the same folder: what a killed run left is found by the next.
 */
function findQuickFolder(): string | null {
  if (process.env.TMPDIR || !existsSync(memory)) return null;
  const { bavail, bsize } = statfsSync(memory);
  if (bavail * bsize < memoryNeeded) return null;
  const folder = path.join(memory, "homework-tests");
  try {
    mkdirSync(folder, { recursive: true });
    // As root, databases run as another user.
    chmodSync(folder, 0o1777);
    const program = path.join(folder, `runs-${process.pid}.sh`);
    writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
    const runs = works(program, []);
    rmSync(program);
    return runs ? folder : null;
  } catch {
    // Another user's: the usual folder will do.
    return null;
  }
}

export function countRun(exitCode: number, { testResults }: Report): Counts {
  const statuses = testResults.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status));
  const count = (...wanted: string[]) => statuses.filter((status) => wanted.includes(status)).length;
  // A file that cannot be loaded, or left something behind, fails although none of its tests did.
  const filesAlone = testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && !assertionResults.some((assertion) => assertion.status === "failed"),
  );
  const failed = count("failed") + filesAlone.length;
  return {
    passed: count("passed"),
    // An error outside of any test (in the set-up, after the end) must not look like success.
    failed: exitCode !== 0 && failed === 0 ? 1 : failed,
    skipped: count("skipped", "pending", "todo", "disabled"),
    failures: [
      ...testResults.flatMap(({ name, assertionResults }) =>
        assertionResults
          .filter(({ status }) => status === "failed")
          .map(({ fullName, failureMessages }) => describeFailure(name, fullName, failureMessages?.join("\n"))),
      ),
      ...filesAlone.map(({ name, message }) => describeFailure(name, "", message)),
    ],
  };
}

/** File, test and the first lines of why. */
function describeFailure(file: string, test: string, why = ""): string {
  const lines = why.split("\n").slice(0, 12);
  return [[path.relative(process.cwd(), file), test].filter(Boolean).join(" > "), ...lines].join("\n      ");
}
