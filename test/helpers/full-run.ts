// `npm test`: sets up whatever is missing, then runs every check and every test, on the embedded PostgreSQL and on one
// of the system. Nothing is left out silently; the last line counts.

import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type AgentName, agentNames, installAgent, quickestAgent } from "../agents/install-agents.ts";
import { obtainChromium } from "./find-chromium.ts";
import { obtainPostgres } from "./find-postgres.ts";
import { runShown } from "./programs.ts";
import { chooseShare, shareCount } from "./shares.ts";
import { type Counts, runVitest } from "./vitest-run.ts";
import { whyBuild } from "./web-build.ts";

const help = `npm test                            every kind of test; of the longest ones a sixth, in turn with the commits
npm test -- --all                   everything: what is left out of that, too
npm test -- --only unit             tests that need no database, no other process and no browser
npm test -- --only embedded         unit tests and those with a database, on the PostgreSQL that npm brings
npm test -- --only server           those with a database, on another PostgreSQL (TEST_DATABASE_URL, or the system's)
npm test -- --only browser          tests that drive a browser
npm test -- --only agents           tests of the real agent programs, which npm installs into the cache (npm run test:agents)
npm test -- [--only …] <pattern> …  files whose path contains a pattern, and options of vitest (e.g. -t "a name")

CHROMIUM_PATH      the browser to use
TEST_AGENTS        which agent programs, such as claude,codex; all with --only agents, else one
TEST_DATABASE_URL  a superuser's address of a PostgreSQL 15 or newer; each run makes its databases there and drops them
TEST_SHARE         1 to 6 or all: which sixth of the longest tests a whole run has; otherwise it follows from the number of commits
TEST_INJECTIONS    each: every group of an attacker's orders in a run of its own, instead of several in one
CI                 a browser, an agent or a second PostgreSQL that cannot be had fails the run
`;

const parts = ["unit", "embedded", "server", "browser", "agents"] as const;
type Part = (typeof parts)[number];

const counted: Counts[] = [];
const missing: string[] = [];

process.chdir(fileURLToPath(new URL("../..", import.meta.url)));
const { only, rest, wantsAll, wantsHelp } = readArguments(process.argv.slice(2));
// The program that is running gets to clean up; the next one is not started.
let interrupted = false;
for (const signal of ["SIGINT", "SIGTERM"])
  process.on(signal, () => {
    interrupted = true;
  });
if (wantsHelp) process.stdout.write(help);
else await runAll();

async function runAll(): Promise<void> {
  const startedAt = Date.now();
  process.env.TEST_BEGAN = String(startedAt);
  const whole = only === undefined && rest.length === 0;
  if (whole) await pickShare();
  // At once: what is fetched waits for the network and the disk while the rest works.
  const [agents, chromium] = await Promise.all([
    wants("agents") ? step("Finding real agents", findAgents) : [],
    wants("browser") ? step("Finding a browser", findBrowser) : undefined,
    whole ? step("Checking types, style and unused code", check) : undefined,
    wants("browser") ? step("Building the pages", buildPages) : undefined,
  ]);
  const projects = firstProjects(whole, chromium, agents);
  // In a whole run the second PostgreSQL is told what the first was asked, and most files run on the first alone.
  const statements = whole ? mkdtempSync(path.join(os.tmpdir(), "homework-test-statements-")) : "";
  if (projects.length > 0)
    await step(`Testing: ${projects.join(", ")}`, () => testFirst(projects, chromium, agents, statements));
  if (wants("server")) await step("Testing on a second PostgreSQL", () => testOnServer(statements));
  if (statements) rmSync(statements, { recursive: true, force: true });
  conclude(Date.now() - startedAt);
}

/** Who names files or a part gets all of them. */
async function pickShare(): Promise<void> {
  const share = await chooseShare(wantsAll ? "all" : process.env.TEST_SHARE);
  if (share === null) {
    process.stderr.write(`TEST_SHARE takes 1 to ${shareCount} or all, not ${process.env.TEST_SHARE}\n`);
    process.exit(2);
  }
  process.env.TEST_SHARE = share;
  if (share !== "all")
    process.stdout.write(
      `Of the longest tests this run has share ${share} of ${shareCount}; npm test -- --all has all of them.\n`,
    );
}

async function check(): Promise<void> {
  const code = await runShown(process.execPath, ["scripts/check.ts", "--without-tidy"]);
  if (code !== 0) counted.push(oneFailure("npm run check"));
}

async function buildPages(): Promise<void> {
  const why = whyBuild();
  if (!why) return say("they are up to date");
  say(why);
  const code = await runShown("npm", ["run", "build", "--silent"]);
  if (code !== 0) counted.push(oneFailure("npm run build"));
}

async function findBrowser(): Promise<string | undefined> {
  try {
    const { path, from } = await obtainChromium();
    say(`${path}, from ${from}`);
    return path;
  } catch (thrown) {
    say(String(thrown));
    missing.push("No browser could be had, so the browser tests did NOT run. Install Chromium or set CHROMIUM_PATH.");
    return undefined;
  }
}

/** Which agents can be tested: those asked for, without what could not be installed. */
async function findAgents(): Promise<readonly AgentName[]> {
  const found: AgentName[] = [];
  for (const name of agentsWanted())
    try {
      const { version, binFolder } = await installAgent(name, say);
      say(`${name} ${version}, from ${binFolder}`);
      found.push(name);
    } catch (thrown) {
      say(String(thrown));
      missing.push(`${name} could not be installed, so it was NOT tested.`);
    }
  return found;
}

function agentsWanted(): readonly AgentName[] {
  const asked = process.env.TEST_AGENTS?.split(",");
  if (asked === undefined) return only === "agents" ? agentNames : [quickestAgent];
  const unknown = asked.filter((name) => !agentNames.some((known) => known === name));
  if (unknown.length === 0) return agentNames.filter((name) => asked.includes(name));
  process.stderr.write(`TEST_AGENTS takes some of ${agentNames.join(",")}, not ${unknown.join(",")}\n`);
  process.exit(2);
}

/** vitest's projects on the embedded PostgreSQL. */
function firstProjects(whole: boolean, chromium: string | undefined, agents: readonly AgentName[]): readonly string[] {
  return [
    ...(whole ? ["first"] : []),
    ...(!whole && (wants("unit") || wants("embedded")) ? ["unit"] : []),
    ...(!whole && wants("embedded") ? ["db", "words", "process"] : []),
    ...(agents.length > 0 ? ["agents"] : []),
    ...(chromium ? ["browser"] : []),
  ];
}

async function testFirst(
  projects: readonly string[],
  chromium: string | undefined,
  agents: readonly AgentName[],
  statements: string,
): Promise<void> {
  // Empty: a second server that the caller named has its own turn.
  await vitest(projects, {
    TEST_DATABASE_URL: "",
    TEST_POSTGRES_BIN: "",
    TEST_STATEMENTS: statements,
    TEST_AGENTS: agents.join(","),
    ...(chromium && { CHROMIUM_PATH: chromium }),
  });
}

/** `statements`: the folder with what the first was asked, or "" where all files are to run. */
async function testOnServer(statements: string): Promise<void> {
  const server = await obtainPostgres();
  if (server) {
    say(server.name);
    await vitest([statements ? "second" : "db"], { ...server.env, TEST_STATEMENTS: statements });
  } else
    missing.push(
      "No second PostgreSQL could be had, so nothing was tested on one. Install PostgreSQL 15 or newer, or set TEST_DATABASE_URL.",
    );
}

async function vitest(projects: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  const flags = projects.flatMap((name) => ["--project", name]);
  counted.push(await runVitest([...flags, ...(rest.length > 0 ? ["--passWithNoTests", ...rest] : [])], env));
}

function oneFailure(what: string): Counts {
  return { passed: 0, failed: 1, skipped: 0, failures: [what] };
}

function conclude(tookMs: number): void {
  const failures = counted.flatMap((counts) => counts.failures);
  if (failures.length > 0) process.stdout.write(`\nFailed:\n${failures.map((each) => `  ${each}\n`).join("")}`);
  for (const what of missing) process.stdout.write(`\n!!! WARNING: ${what}\n`);
  const sum = (field: "passed" | "failed" | "skipped") => counted.reduce((total, counts) => total + counts[field], 0);
  // Where people look at the result later, an incomplete run is not a good one.
  if (sum("failed") > 0 || (missing.length > 0 && (process.env.CI || only === "agents"))) process.exitCode = 1;
  process.stdout.write(`\nTook ${seconds(tookMs)}.\n`);
  const skipped = sum("skipped");
  process.stdout.write(
    `${sum("passed")} passed, ${sum("failed")} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`,
  );
}

async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const startedAt = Date.now();
  process.stdout.write(`==> ${name}\n`);
  const value = await work();
  process.stdout.write(`<== ${name}: ${seconds(Date.now() - startedAt)}\n`);
  if (interrupted) {
    process.stderr.write("Interrupted.\n");
    process.exit(130);
  }
  return value;
}

function wants(part: Part): boolean {
  return only === undefined || only === part;
}

function say(what: string): void {
  process.stdout.write(`    ${what}\n`);
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

/** Ours are --only, --all and --help; everything else is vitest's. */
function readArguments(args: readonly string[]): {
  only: Part | undefined;
  rest: readonly string[];
  wantsAll: boolean;
  wantsHelp: boolean;
} {
  const at = args.indexOf("--only");
  const ours = at === -1 ? [] : args.slice(at, at + 2);
  const { values } = parseArgs({ args: ours, options: { only: { type: "string" } } });
  const found = parts.find((part) => part === values.only);
  if (values.only !== undefined && !found) {
    process.stderr.write(`--only takes one of ${parts.join(", ")}, not ${values.only}\n`);
    process.exit(2);
  }
  const rest = at === -1 ? args : args.toSpliced(at, 2);
  const ofVitest = rest.filter((arg) => arg !== "--help" && arg !== "--all");
  return { only: found, rest: ofVitest, wantsAll: rest.includes("--all"), wantsHelp: rest.includes("--help") };
}
