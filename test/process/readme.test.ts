// The commands of the README, word for word and in order, as someone new would type them in a clone in which nothing was built yet. npm has
// installed the packages before this test runs, and `npm test` is what runs it; a line that no row names fails.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeClone } from "../helpers/clone.ts";
import { gardenFixes, makeGarden } from "../helpers/make-repository.ts";
import { patienceMs } from "../helpers/patience.ts";
import { readRequest, toReply } from "../helpers/role-script.ts";
import { playStory, withUsage } from "../helpers/sample-script.ts";
import { type Story, stories } from "../helpers/sample-stories.ts";
import { makeDataFolder, removeDataFolder } from "../helpers/served.ts";
import { startThrowAwayPostgres, type ThrowAwayPostgres } from "../helpers/throw-away-postgres.ts";
import { startLab } from "../lab/lab.ts";
import { canaryKey, labPrices } from "../lab/lab-models.ts";

const readme = readFileSync(fileURLToPath(new URL("../../README.md", import.meta.url)), "utf8");
/** It runs this test. */
const notHere = ["npm ci && npm test"];
const blocks = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)]
  .map(([, block = ""]) => block.trim().split("\n"))
  .filter((lines) => !notHere.includes(lines.join("\n")));

/** What a line ends with, or what a server says before it is stopped again. Lines end with 0 unless they are named here. */
const stopped = 20;
const needsYou = 23;
const ends: Readonly<Record<string, number | string>> = {
  'npx homework outcome start "A street festival for the neighbourhood"': needsYou,
  'npx homework run "Plan a new kitchen, from measuring to cooking" --project "New kitchen" --max-iterations 1':
    stopped,
  "npm ci && npm start": "Sign in with this link, once: http",
  "DATABASE_URL=postgres://user:password@db.example.com:5432/homework npm start": "Sign in with this link, once: http",
  "npm start -- --set accounts=true": "Create the admin account with this link: http",
  "npx homework serve --host 0.0.0.0 --public-url https://homework.example.com --set accounts=true":
    "Create the admin account with this link: https://homework.example.com/",
};
/** What it says about itself is somebody else's: a key, a database, all networks of the machine. */
const stoodIn = (line: string): string =>
  line
    .replace("postgres://user:password@db.example.com:5432/homework", postgres.adminUrl)
    .replace("OPENROUTER_API_KEY=…", `OPENROUTER_API_KEY=${canaryKey}`)
    .replace("--host 0.0.0.0", "--host 127.0.0.1");

const clone = makeClone();
const home = makeDataFolder();
const tools = path.join(home, "bin");
const servers: ChildProcess[] = [];
let lab: Awaited<ReturnType<typeof startLab>>;
let postgres: ThrowAwayPostgres;
let repository: string;
/** Of one block: where its lines run, and what earlier lines have exported. */
let place = { folder: clone, environment: {} as Record<string, string> };

beforeAll(async () => {
  const story = playStory(stories.completed as Story);
  lab = await startLab({
    prices: labPrices,
    script: async (request) => {
      const asked = readRequest(request);
      return withUsage(toReply(await story(asked), asked), asked);
    },
  });
  postgres = await startThrowAwayPostgres();
  repository = await makeGarden();
  writeTools();
});

afterAll(async () => {
  await Promise.all(servers.map(stopServer));
  await lab.close();
  await postgres.stop();
  for (const data of [path.join(home, ".local/share/homework"), path.join(clone, "another-folder")])
    await removeDataFolder(data);
  for (const folder of [home, clone, path.dirname(repository)]) rmSync(folder, { recursive: true, force: true });
});

/** `npx homework` is the program of the clone, and its packages are there: the rest of npm is npm itself. */
function writeTools(): void {
  mkdirSync(tools);
  const write = (name: string, script: string) => {
    writeFileSync(path.join(tools, name), `#!/bin/sh\n${script}\n`);
    chmodSync(path.join(tools, name), 0o755);
  };
  const launcher = path.join(clone, "bin", "homework.js");
  write("npx", `[ "$1" = homework ] || exit 99\nshift\nexec "${process.execPath}" "${launcher}" "$@"`);
  write("npm", `[ "$1" = ci ] && exit 0\nPATH="\${PATH#*:}" exec npm "$@"`);
  const fix = Object.values(gardenFixes).join("\n");
  const words = `{"complete": true, "findings": [], "quotes": [{"file": "src/area.js", "line": 1, "quote": "width * length"}]}`;
  write("worker", `cat > /dev/null\n${fix}\ntouch "$JRUN_TASK_FOLDER/DONE"\necho 'All three functions are right now.'`);
  write("reviewer", `cat > /dev/null\necho '${words}'`);
  const agent = (name: string) =>
    `agent "${name}" {\n  type = "command"\n  command = ["${path.join(tools, name)}"]\n}\n`;
  const weights = 'selection {\n  strategy = "weights"\n  weights = {\n    worker = 1\n    reviewer = 0\n  }\n}\n';
  writeFileSync(path.join(home, "agents.hcl"), `${agent("worker")}${agent("reviewer")}${weights}`, { mode: 0o600 });
}

function start(line: string): { readonly child: ChildProcess; readonly said: () => string } {
  const { folder: cwd, environment } = place;
  const env = {
    PATH: [tools, path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
    HOME: home,
    HOMEWORK_PORT: "0",
    HOMEWORK_FIND_LOCAL_MODELS: "false",
    ...environment,
  };
  const child = spawn("bash", ["-c", stoodIn(line)], { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (piece: Buffer) => {
      said += piece.toString();
    });
  return { child, said: () => said };
}

/** A line to its end, or a server until it says where it is; it goes on until its block is over. */
async function play(line: string): Promise<string> {
  const [, name = "", value = ""] = /^export (\w+)=(\S+)/.exec(stoodIn(line)) ?? [];
  if (name !== "") {
    place.environment[name] = value;
    return `0 ${line}`;
  }
  const { child, said } = start(line);
  const expected = ends[line] ?? 0;
  if (typeof expected === "number") {
    const [code] = (await once(child, "close")) as [number | null];
    return `${code} ${line}${code === expected ? "" : `\n${said()}`}`;
  }
  servers.push(child);
  await expect.poll(() => child.exitCode !== null || said().includes(expected), { timeout: patienceMs }).toBe(true);
  return said().includes(expected) ? `${expected} ${line}` : `${said()} ${line}`;
}

async function stopServer(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return;
  const over = once(child, "close");
  process.kill(-child.pid, "SIGTERM");
  await over;
}

/** What the reader has by the time of a block, beside the lines before it. */
function settle(lines: readonly string[]): void {
  const text = lines.join("\n");
  const models = {
    HOMEWORK_OPENROUTER_BASE_URL: lab.baseUrl("openrouter"),
    HOMEWORK_MODEL: "openrouter/anthropic/claude-sonnet-5.5",
  };
  const isAgents = text.includes("--engine agent");
  place = {
    folder: isAgents ? repository : clone,
    environment: {
      ...(text.includes("OPENROUTER_API_KEY") ? models : {}),
      ...(isAgents ? { HOMEWORK_AGENT_CONFIG: path.join(home, "agents.hcl") } : {}),
    },
  };
}

/** A tour says that the server before it is left running; every other server is stopped before the next block. */
const keepsServer = (at: number): boolean => /tour/.test(headingBefore(blocks[at + 1]?.[0] ?? ""));

const headingBefore = (line: string): string =>
  [...readme.slice(0, readme.indexOf(line)).matchAll(/^#+ (.*)$/gm)].at(-1)?.[1] ?? "";

test("every command of the README does what it says, in order", async () => {
  expect(blocks.length).toBeGreaterThan(10);
  for (const [at, lines] of blocks.entries()) {
    settle(lines);
    const played: string[] = [];
    for (const line of lines) played.push(await play(line));
    expect(played).toEqual(lines.map((line) => `${ends[line] ?? 0} ${line}`));
    if (!keepsServer(at)) await Promise.all(servers.splice(0).map(stopServer));
  }
});

test("each line that is named here stands in the README", () => {
  const lines = blocks.flat();
  expect(Object.keys(ends).filter((line) => !lines.includes(line))).toEqual([]);
});
