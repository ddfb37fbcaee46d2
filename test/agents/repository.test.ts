// Homework runs on a real repository with a failing test suite, each of the real agents at work, on the model lab: branch, commits,
// reviewer, merge; a reviewer that sends the work back; and servers that are killed meanwhile. TEST_AGENTS says which agents.

import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { identify } from "../../src/files/process-identity.ts";
import { routes } from "../../src/protocol/api.ts";
import { openBus } from "../../src/runner/bus/bus.ts";
import { readBus } from "../../src/runner/bus/read-bus.ts";
import { readResult } from "../../src/runner/job/job-files.ts";
import { listRuns, type RunFolder } from "../../src/runner/layout/runner-root.ts";
import {
  gardenFixes,
  gardenSuite,
  makeGarden,
  mendedLine,
  mendFault,
  plantedFault,
  plantFault,
} from "../helpers/make-repository.ts";
import { removeFolders } from "../helpers/runner-root.ts";
import { killServerHard, type Served, stopServer } from "../helpers/served.ts";
import { runGit } from "../helpers/test-git.ts";
import type { Act, Acts } from "./agent-lab.ts";
import { type Play, readToolPid, type Scene, toolMarks, writeCommand } from "./agent-scene.ts";
import { expectNoneLeft } from "./expect-none-left.ts";
import { createRun, type HomeworkWorld, kill, openHomeworkWorld, untilBegun, waitForEnd } from "./homework-world.ts";
import type { AgentName } from "./install-agents.ts";
import { openTestedAgents, type TestedAgents, testedNames, writeAgentBlock } from "./tested-agents.ts";

const { area, median, litres } = gardenFixes;
const say = (command: string, says: string): Act => ({ command, says });
const done = ({ folder }: Play): string => `touch '${toolMarks(folder).done}'`;
/** A tool that has begun waits to be let go. */
const waits = ({ folder }: Play): string => writeCommand("work", folder).replace(/; echo finished.*$/, "");

const answer = (findings: readonly object[]): string =>
  `I read it.\n${JSON.stringify({ complete: findings.length === 0, findings, quotes: findings.length === 0 ? [mendedLine] : [] })}`;
const yes = answer([]);
const no = answer([{ ...plantedFault, problem: "It answers 3 whatever it is given." }]);
const look = (notes: string): string => `{ pwd; stat -c %A src/median.js; ls -A; } >> '${notes}'`;

const acts: Acts = {
  scenes: {
    own_area: () => say(area, "The area is right now."),
    own_claim: (play) => say(`${median}; ${done(play)}`, "All tests pass."),
    own_finish: (play) => say(`${litres}; ${done(play)}`, "The litres are right now, too."),
    own_plant: (play) => say(`${area}; ${litres}; ${plantFault}; ${done(play)}`, "All tests pass."),
    own_mend: (play) => say(`${mendFault}; ${done(play)}`, "The median is computed now."),
    own_slow: (play) => say(`${waits(play)}; ${area}; ${median}; ${litres}; ${done(play)}`, "All tests pass."),
  },
  review: (prompt) => {
    const [, notes = "/dev/null"] = /^> Notes: (\S+)$/m.exec(prompt) ?? [];
    return say(look(notes), prompt.includes(`+${plantedFault.quote}`) ? no : yes);
  },
};

/** The same for a program: the reviewer where only one agent is tested. */
const reviewScript = `prompt=$(cat)
notes=$(printf '%s\\n' "$prompt" | sed -n 's/^> Notes: //p')
${look("$notes").replace("'$notes'", '"$notes"')}
case "$prompt" in *'+${plantedFault.quote}'*) printf '%s\\n' '${no}';; *) printf '%s\\n' '${yes}';; esac
`;

let agents: TestedAgents;
let world: HomeworkWorld;
let server: Served;
/** How many jobs the server does at a time; null is as many as it does by itself. */
let jobsAtOnce: string | null = null;

/** Starts it anew only where that number is another. */
async function serveWith(wanted: string | null): Promise<void> {
  if (jobsAtOnce === wanted) return;
  await stopServer(server);
  jobsAtOnce = wanted;
  server = await world.serve(wanted === null ? {} : { HOMEWORK_WORKER_CONCURRENCY: wanted });
}

beforeAll(async () => {
  agents = await openTestedAgents(acts);
  world = openHomeworkWorld(testedNames.map(agents.find));
  writeFileSync(path.join(world.place, "review.sh"), reviewScript);
  server = await world.serve();
});
afterAll(async () => {
  await world.close();
  await agents.lab.close();
  removeFolders();
});

/** Another agent reviews; it never works, since its weight is nothing. */
function configure(name: AgentName): string {
  const reviewer = testedNames[(testedNames.indexOf(name) + 1) % testedNames.length] ?? name;
  const script = JSON.stringify(path.join(world.place, "review.sh"));
  const block =
    reviewer === name
      ? `agent "reviewer" {\n  type = "command"\n  command = ["sh", ${script}]\n}\n`
      : writeAgentBlock(agents.find(reviewer));
  const reviewerName = reviewer === name ? "reviewer" : reviewer;
  const weights = `weights = {\n    ${name} = 1\n    ${reviewerName} = 0\n  }`;
  world.writeConfig(
    `${writeAgentBlock(agents.find(name))}${block}selection {\n  strategy = "weights"\n  ${weights}\n}\n`,
  );
  return reviewerName;
}

const out = async (folder: string, ...args: readonly string[]) => (await runGit(folder, args)).stdout.trim();
const lines = async (folder: string, ...args: readonly string[]) => (await out(folder, ...args)).split("\n");
const suitePasses = (folder: string): Promise<boolean> =>
  promisify(execFile)(process.execPath, [...gardenSuite.args], { cwd: folder, env: { PATH: process.env.PATH } }).then(
    () => true,
    () => false,
  );

async function begin(name: AgentName, scenes: readonly Scene[]) {
  const reviewer = configure(name);
  const repository = await makeGarden();
  const notes = path.join(path.dirname(repository), "review-notes");
  const objective = `Make the tests pass.\nSCENES ${scenes.join(",")}\nNotes: ${notes}`;
  const looks = () => Promise.all([out(repository, "rev-parse", "HEAD"), out(repository, "status", "--porcelain")]);
  return {
    reviewer,
    repository,
    notes,
    before: await looks(),
    looks,
    runId: await createRun(server, repository, objective),
  };
}

type Ended = Awaited<ReturnType<typeof waitForEnd>>;
const seenBy = ({ report }: Ended, check: string) => report?.checks.find((each) => each.check === check)?.seen ?? "";

/** Tokens of all agent runs of a Homework run, reviews included, as the agents themselves told them. */
function countTokens(runId: string): number {
  const work = world.requireTask(runId);
  const reviews = listRuns(world.root, { ...work, path: `${work.path}-review` });
  return [...world.runsOf(runId), ...reviews].reduce((sum, run) => sum + readTokens(world, run), 0);
}

function readTokens({ root }: HomeworkWorld, run: RunFolder): number {
  const tokens = readResult(root, run)?.tokens ?? null;
  return tokens === null ? 0 : tokens.input + tokens.cacheRead + tokens.cacheWrite + tokens.output;
}

describe.each(testedNames)("%s on a repository", (name) => {
  beforeAll(() => serveWith(null));
  describeResults(name);
  describeKills(name);
});

function describeResults(name: AgentName): void {
  test("three iterations make the suite pass: branch, a commit for each, another agent's review, merge", async () => {
    const { reviewer, repository, notes, before, looks, runId } = await begin(name, [
      "own_area",
      "own_claim",
      "own_finish",
    ]);
    const ended = await waitForEnd(server, runId);
    expect([ended.status, ended.report?.metrics.iterations], ended.report?.stopping_reason.detail).toEqual([
      "completed",
      3,
    ]);
    const branch = ended.report?.work?.branch ?? "";
    expect(ended.report?.work).toMatchObject({ repository, agents: [name] });
    expect(branch).toMatch(/^homework\/[0-9a-f]{12}$/);
    expect(await lines(repository, "log", "--reverse", "--format=%s", "--name-only", `main..${branch}`)).toEqual([
      ...["Iteration 1: The area is right now.", "", "src/area.js"],
      ...["Iteration 2: All tests pass.", "", "src/median.js"],
      ...["Iteration 3: The litres are right now, too.", "", "src/litres.js"],
    ]);
    expect(world.promptOf(runId, 2)).toContain("node --test ended with exit code 1");
    expect(seenBy(ended, "command_succeeds")).toBe("node --test succeeded.");
    const { file, line } = mendedLine;
    expect(seenBy(ended, "judge")).toContain(`the reviewer (${reviewer}) says yes and quotes ${file}:${line}`);
    const [folder = "", rights, ...names] = readFileSync(notes, "utf8").trim().split("\n");
    expect([folder.endsWith("/copy-3/files"), rights, names]).toEqual([
      true,
      "-r--r--r--",
      ["package.json", "src", "test"],
    ]);
    expect([await looks(), await suitePasses(repository)]).toEqual([before, false]);
    expect((await world.run("merge", runId)).code).toBe(0);
    expect(await lines(repository, "log", "-1", "--format=%P")).toEqual([
      expect.stringMatching(/^[0-9a-f]{40} [0-9a-f]{40}$/),
    ]);
    expect([await suitePasses(repository), await out(repository, "branch", "--list", branch)]).toEqual([true, ""]);
    expect(ended.report?.metrics.total_tokens).toBe(countTokens(runId));
  });

  test("a reviewer that finds a planted fault sends it back; mended, it is merged", async () => {
    const { reviewer, repository, runId } = await begin(name, ["own_plant", "own_mend"]);
    const ended = await waitForEnd(server, runId);
    expect([ended.status, ended.report?.metrics.iterations], ended.report?.stopping_reason.detail).toEqual([
      "completed",
      2,
    ]);
    const { file, line, quote } = plantedFault;
    const told = world.promptOf(runId, 1);
    expect(told).toContain(`the reviewer found 1 problem:\n  1. ${file}:${line} “${quote}”`);
    expect(told).toContain("It answers 3 whatever it is given.");
    expect(seenBy(ended, "judge")).toContain(`the reviewer (${reviewer}) says yes and quotes ${mendedLine.file}:2`);
    expect(ended.report?.work?.commits.map(({ title }) => title)).toEqual([
      "Iteration 1: All tests pass.",
      "Iteration 2: The median is computed now.",
    ]);
    expect(await server.api(routes.runs.merge, { params: { runId } })).toMatchObject({ kind: "merged", into: "main" });
    expect(readFileSync(path.join(repository, file), "utf8")).toContain(mendedLine.quote);
    expect(await suitePasses(repository)).toBe(true);
  });
}

function describeKills(name: AgentName): void {
  /** The agent of a killed process works on; the process after it adopts the agent, and its result is counted once. */
  async function expectAdopted(end: () => Promise<void>, next: () => Promise<void>): Promise<void> {
    const { runId } = await begin(name, ["own_slow"]);
    await untilBegun(world, runId, ({ path: folder }) => readToolPid(folder) !== null);
    const task = world.requireTask(runId);
    const tool = readToolPid(task.path) ?? 0;
    await end();
    expect([identify(tool) !== undefined, world.infosOf(runId)[0]?.status]).toEqual([true, "running"]);
    await next();
    writeFileSync(toolMarks(task.path).letGo, "");
    const ended = await waitForEnd(server, runId);
    expect([ended.status, ended.report?.metrics.iterations], ended.report?.stopping_reason.detail).toEqual([
      "completed",
      1,
    ]);
    expect(world.infosOf(runId)).toMatchObject([{ status: "completed" }]);
    const types = readBus(openBus(world.root, task)).entries.map(({ type }) => type);
    expect(types.filter((type) => ["START", "STOP", "CRASH"].includes(type))).toEqual(["START", "STOP"]);
    expect(ended.report?.work?.commits).toHaveLength(1);
    expect(ended.report?.metrics.total_tokens).toBe(countTokens(runId));
    for (const run of world.runsOf(runId)) await expectNoneLeft(run);
  }

  test("homework serve is killed while it works", async () => {
    await expectAdopted(
      () => killServerHard(server),
      async () => {
        server = await world.serve();
      },
    );
  });

  test("homework worker is killed while it works", async () => {
    await serveWith("0");
    let worker = world.work();
    await expectAdopted(
      () => kill(worker),
      async () => {
        worker = world.work();
      },
    );
    await kill(worker);
  });
}

test("no host outside was asked for, and the lab refused nothing", () => {
  expect(agents.lab.outside).toEqual([]);
  expect(agents.lab.refusals.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([]);
});
