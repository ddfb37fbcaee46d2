// Real agent programs for tests. npm installs each from a lockfile of its own (clis/) into the person's cache, once per lockfile and
// kind of machine, and never into the project's own node_modules. A killed installation leaves nothing that is taken for a whole one.

import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { runCaptured } from "../helpers/programs.ts";

export const agentNames = ["claude", "codex", "gemini", "opencode"] as const;
export type AgentName = (typeof agentNames)[number];

/** The one that every test run has: it is installed and started soonest. */
export const quickestAgent: AgentName = "codex";

export type InstalledAgent = {
  readonly name: AgentName;
  readonly version: string;
  /** Where the program is. */
  readonly binFolder: string;
};

/** What each one takes of the disk, for people who wait. */
const megabytes: Readonly<Record<AgentName, number>> = { claude: 350, codex: 440, gemini: 100, opencode: 350 };

/**
 * Not `ci`: it insists on the programs of all systems, and a registry may lack some. npm's own patience without a network is minutes;
 * two tries are enough to tell.
 */
const npmFlags = [
  ...["install", "--no-save", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"],
  ...["--fetch-retries=1", "--fetch-retry-mintimeout=2000", "--fetch-timeout=120000"],
];
const manifests = ["package.json", "package-lock.json"];
const linesShown = 8;

/** Reuses what is there. Throws with npm's own words where it cannot be installed. */
export async function installAgent(name: AgentName, say: (line: string) => void): Promise<InstalledAgent> {
  const source = path.join(import.meta.dirname, "clis", name);
  const texts = manifests.map((file) => readFileSync(path.join(source, file), "utf8"));
  const version = Object.values(
    (JSON.parse(texts[0] ?? "") as { dependencies: Record<string, string> }).dependencies,
  )[0];
  const cache = path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), ".cache"), "homework", "test-agents");
  const folder = path.join(cache, `${name}-${hashOf([...texts, process.platform, process.arch])}`);
  const installed: InstalledAgent = {
    name,
    version: version ?? "",
    binFolder: path.join(folder, "node_modules", ".bin"),
  };
  if (existsSync(folder)) return installed;
  say(`installing ${name} ${version} (${megabytes[name]} MB) into ${folder}`);
  mkdirSync(cache, { recursive: true });
  removeParts(cache);
  const part = path.join(cache, `${path.basename(folder)}.${process.pid}.part`);
  try {
    mkdirSync(part);
    for (const file of manifests) copyFileSync(path.join(source, file), path.join(part, file));
    const { code, output } = await runCaptured("npm", [...npmFlags, "--prefix", part], npmEnvironment());
    if (code !== 0 || !existsSync(path.join(part, "node_modules", ".bin", name)))
      throw new Error(
        `${name} ${version} could not be installed by npm, which needs a registry for it once:\n${describeOutput(output)}`,
      );
    keep(part, folder);
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
  return installed;
}

const hashOf = (texts: readonly string[]): string =>
  createHash("sha256").update(texts.join("\0")).digest("hex").slice(0, 12);

/** Settings of the npm that runs the test, such as its workspace, are not for this one. */
const npmEnvironment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(([key]) => !/^npm_(config_(local_prefix|prefix|workspace)|package_)/i.test(key)),
  ),
  NODE_ENV: "",
});

/** Another test run may have been faster. */
function keep(part: string, folder: string): void {
  try {
    renameSync(part, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

/** Of installations that were killed. */
function removeParts(cache: string): void {
  for (const name of readdirSync(cache)) {
    const pid = /\.(\d+)\.part$/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(path.join(cache, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** The first lines say what is wrong; where in npm it went wrong does not help. */
const describeOutput = (output: string): string =>
  output
    .split("\n")
    .filter((line) => /\S/.test(line) && !/^npm error {2,}/.test(line))
    .slice(0, linesShown)
    .join("\n");
