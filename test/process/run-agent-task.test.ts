// `run-agent task`, `job` and `stop` as programs, with agents that are programs: no database, no server.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { openBus } from "../../src/runner/bus/bus.ts";
import { readBus } from "../../src/runner/bus/read-bus.ts";
import { readRunInfo } from "../../src/runner/layout/run-info.ts";
import { listProjects, listRuns, listTasks, type RunnerRoot } from "../../src/runner/layout/runner-root.ts";
import { readStop } from "../../src/runner/layout/task-files.ts";
import { expectNoneLeft } from "../agents/expect-none-left.ts";
import { checksOf, until } from "../agents/job-world.ts";
import { makeFolder, makeRoot, removeFolders } from "../helpers/runner-root.ts";

afterEach(removeFolders);

const bin = fileURLToPath(new URL("../../bin/run-agent.js", import.meta.url));

function makePlace(script: string, variables: Readonly<Record<string, string>> = {}) {
  const folder = makeFolder();
  const root = makeRoot({ folder: path.join(folder, "root"), host: (process.env.HOSTNAME ?? "") || "here" });
  const agent = path.join(folder, "agent.sh");
  writeFileSync(agent, `#!/bin/sh\ncat > /dev/null\n${script}\n`);
  chmodSync(agent, 0o755);
  const start = (...args: readonly string[]): ChildProcess =>
    spawn(process.execPath, [bin, "--root", root.folder, ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH ?? "", HOME: folder, ...variables },
      stdio: ["ignore", "pipe", "pipe"],
    });
  return { folder, root, agent, start, run: (...args: readonly string[]) => ended(start(...args)) };
}

async function ended(child: ChildProcess) {
  let [out, words] = ["", ""];
  child.stdout?.on("data", (text: Buffer) => {
    out += text;
  });
  child.stderr?.on("data", (text: Buffer) => {
    words += text;
  });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, out, words };
}

const taskOf = (root: RunnerRoot) => {
  const task = listProjects(root).flatMap((project) => listTasks(root, project))[0];
  if (task === undefined) throw new Error("there is a task");
  return task;
};
const runsOf = (root: RunnerRoot) => listRuns(root, taskOf(root));
const infosOf = (root: RunnerRoot) => runsOf(root).map((run) => readRunInfo(root, run));
const typesOf = (root: RunnerRoot) => readBus(openBus(root, taskOf(root))).entries.map(({ type }) => type);
const hasTask = (root: RunnerRoot) => listProjects(root).flatMap((project) => listTasks(root, project)).length > 0;
const isAtWork = (root: RunnerRoot) =>
  hasTask(root) && infosOf(root).some((info) => info.status === "running" && info.shim_pid !== undefined);

const done = 'touch "$JRUN_TASK_FOLDER/DONE"';

test("a whole task from nothing, without a database", async () => {
  const { root, agent, run, folder } = makePlace(`echo the beds are wet; ${done}`);
  const { code, out } = await run("task", "-p", "garden", "--command", agent, "--json", "Water the plants");
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ status: "completed", iterations: 1, output: "the beds are wet\n" });
  expect(infosOf(root)).toMatchObject([{ agent: "command", chosen_because: "the only agent that is configured" }]);
  expect(readdirSync(folder).sort()).toEqual(["agent.sh", "root"]);
});

test("kill -9 of the loop: the agent works on, the next loop adopts it, and its result is counted once", async () => {
  const { root, agent, start, run, folder } = makePlace(
    `until [ -e ${"$"}HOME/go ]; do sleep 0.1; done; echo wet; ${done}`,
  );
  const loop = start("task", "-p", "garden", "--command", agent, "Water the plants");
  await until("the agent runs", () => isAtWork(root));
  loop.kill("SIGKILL");
  await once(loop, "exit");
  const again = run("task", "-t", "water", "--command", agent, "--json");
  await until("it is adopted", () => typesOf(root).includes("SUPERVISOR_RESTART"));
  writeFileSync(path.join(folder, "go"), "");
  const { code, out } = await again;
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ status: "completed", iterations: 1, output: "wet\n" });
  expect(infosOf(root)).toMatchObject([{ status: "completed" }]);
  expect(typesOf(root)).toEqual(["START", "SUPERVISOR_RESTART", "STOP", "INFO"]);
});

/** Its first start lasts, with a process in a session of its own; from the second on it passes. */
function writeCheck(folder: string): string {
  const file = path.join(folder, "check.sh");
  writeFileSync(file, 'cd "$(dirname "$0")"; [ -e tried ] && exit; touch tried; setsid sleep 300 & sleep 300\n');
  return file;
}

async function killInCheck(place: ReturnType<typeof makePlace>): Promise<void> {
  const { root, agent, start, folder } = place;
  const check = `sh ${writeCheck(folder)}`;
  const loop = start("task", "-p", "garden", "--command", agent, "--check", check, "Water the plants");
  await until("the check works", () => hasTask(root) && checksOf(taskOf(root)).length > 2);
  loop.kill("SIGKILL");
  await once(loop, "exit");
  expect(checksOf(taskOf(root)).length).toBeGreaterThan(2);
}

test("kill -9 of the loop during a check: the next loop ends what is left of it and runs it anew", async () => {
  const place = makePlace(done);
  const { root, agent, run } = place;
  await killInCheck(place);
  expect(await run("task", "-t", "water", "--command", agent)).toMatchObject({ code: 0 });
  expect([checksOf(taskOf(root)), infosOf(root).length]).toEqual([[], 1]);
});

test.each(["stop", "task cancel"])("kill -9 of the loop during a check: run-agent %s ends the check", async (verb) => {
  const place = makePlace(done);
  const { root, run } = place;
  await killInCheck(place);
  expect(await run(...verb.split(" "), "-t", taskOf(root).taskId)).toMatchObject({ code: 0 });
  expect(checksOf(taskOf(root))).toEqual([]);
});

test("Ctrl-C stops the agent with all it has started, and records it; the task can be resumed", async () => {
  const { root, agent, start, run, folder } = makePlace(
    `[ -e "$HOME/again" ] && { ${done}; exit; }; touch "$HOME/again"; sleep 300 & sleep 300`,
  );
  const loop = start("task", "-p", "garden", "--command", agent, "Water the plants");
  const ending = ended(loop);
  await until("the agent runs", () => existsSync(path.join(folder, "again")) && isAtWork(root));
  loop.kill("SIGINT");
  expect((await ending).code).toBe(130);
  for (const run of runsOf(root)) await expectNoneLeft(run);
  expect(infosOf(root)).toMatchObject([{ status: "failed", stop_requested: {} }]);
  expect(readStop(root, taskOf(root))).toMatchObject({ by: "the person at the terminal" });
  const refused = await run("task", "-t", "water", "--command", agent);
  expect(refused).toMatchObject({ code: 5 });
  expect(refused.words).toContain("To go on: run-agent task resume");
  expect(await run("task", "resume", "-t", "water", "--command", agent)).toMatchObject({ code: 0 });
  expect(runsOf(root)).toHaveLength(2);
});

const tasksOf = (root: RunnerRoot) => listProjects(root).flatMap((project) => listTasks(root, project));
/** The oldest first. */
const allRunsOf = (root: RunnerRoot) =>
  tasksOf(root)
    .flatMap((task) => listRuns(root, task))
    .sort((a, b) => a.runId.localeCompare(b.runId));
const statusesOf = (root: RunnerRoot) => allRunsOf(root).map((run) => readRunInfo(root, run).status);
const isRunning = (info: ReturnType<typeof readRunInfo>) => info.status === "running" && info.shim_pid !== undefined;
const areBothAtWork = (root: RunnerRoot) => {
  const infos = allRunsOf(root).map((run) => readRunInfo(root, run));
  return infos.length === 2 && infos.every(isRunning);
};
const isLastAtWork = (root: RunnerRoot) => {
  const last = allRunsOf(root).at(-1);
  return last !== undefined && isRunning(readRunInfo(root, last));
};
const rakeInBackground = `run-agent task --detach --name leaves --command '["sh","-c","sleep 300"]' Rake > "$HOME/sub"; sleep 300`;

test("Ctrl-C also stops a task that the agent has started in the background", async () => {
  const { root, agent, start } = makePlace(rakeInBackground);
  const loop = start("task", "-p", "garden", "--command", agent, "--name", "water", "Water the plants");
  const ending = ended(loop);
  await until("both agents run", () => areBothAtWork(root));
  loop.kill("SIGINT");
  expect((await ending).code).toBe(130);
  for (const run of allRunsOf(root)) await expectNoneLeft(run);
  expect(statusesOf(root)).toEqual(["failed", "failed"]);
  expect(tasksOf(root).map((task) => readStop(root, task) !== null)).toEqual([true, true]);
});

test("a run that is stopped alone takes along a task that it has started in the background", async () => {
  const { root, agent, start, run } = makePlace(rakeInBackground);
  await run("task", "create", "-p", "garden", "Water the plants");
  const job = ended(start("job", "-t", "water", "--command", agent, "Water the plants"));
  await until("both agents run", () => areBothAtWork(root));
  const [first, second] = allRunsOf(root);
  const stopped = await run("stop", first?.runId ?? "", "-t", first?.task.taskId ?? "", "--json");
  expect(JSON.parse(stopped.out)).toMatchObject({ stopped: [first?.runId, second?.runId] });
  expect((await job).code).toBe(20);
  for (const each of allRunsOf(root)) await expectNoneLeft(each);
  expect(statusesOf(root)).toEqual(["failed", "failed"]);
  expect(second === undefined ? null : readStop(root, second.task)).not.toBeNull();
});

test("a job that is told to end stops its run and records it; one whose terminal goes away lets go", async () => {
  const { root, agent, start, run, folder } = makePlace(
    `[ -e "$HOME/again" ] && { until [ -e "$HOME/go" ]; do sleep 0.1; done; exit; }; touch "$HOME/again"; sleep 300`,
  );
  await run("task", "create", "-p", "garden", "Water the plants");
  const tell = async (signal: NodeJS.Signals) => {
    const job = start("job", "-t", "water", "--command", agent, "Water the plants");
    const ending = ended(job);
    await until("its agent runs", () => existsSync(path.join(folder, "again")) && isLastAtWork(root));
    job.kill(signal);
    return (await ending).words;
  };
  expect(await tell("SIGTERM")).toContain("was stopped");
  const [first] = allRunsOf(root);
  if (first === undefined) throw new Error("there is a run");
  expect(readRunInfo(root, first)).toMatchObject({ status: "failed", stop_requested: { by: "the starter" } });
  await expectNoneLeft(first);
  expect(await tell("SIGHUP")).toContain("goes on");
  expect(statusesOf(root)).toEqual(["failed", "running"]);
  writeFileSync(path.join(folder, "go"), "");
  await until("it has ended", () => statusesOf(root).at(-1) === "completed");
});

test("stop from another process ends the loop and its agent; a second loop follows the first meanwhile", async () => {
  const { root, agent, start, run } = makePlace("sleep 300");
  const first = ended(start("task", "-p", "garden", "--command", agent, "Water the plants"));
  await until("the agent runs", () => isAtWork(root));
  const second = ended(start("task", "-t", "water", "--command", agent));
  await until("the second one has started", () => existsSync(path.join(taskOf(root).path, "loop")));
  const stopped = await run("stop", "-t", "water", "--reason", "lunch", "--json");
  expect(JSON.parse(stopped.out)).toMatchObject({ stopped: [runsOf(root)[0]?.runId] });
  expect(await first).toMatchObject({ code: 20 });
  expect((await second).code).not.toBe(0);
  expect(runsOf(root)).toHaveLength(1);
  for (const run of runsOf(root)) await expectNoneLeft(run);
  expect(readStop(root, taskOf(root))).toMatchObject({ reason: "lunch" });
});

test("an agent delegates with the run-agent on its PATH: same root, its own task, itself as the parent", async () => {
  const child = `run-agent job --command 'echo leaves' "Rake"`;
  const { root, agent, run } = makePlace(`out=$(${child}) && [ "$out" = leaves ] && ${done}`);
  const { code, words } = await run("task", "-p", "garden", "--command", agent, "Water the plants");
  expect({ code, words }).toMatchObject({ code: 0 });
  const [first, second] = infosOf(root);
  expect(second).toMatchObject({ parent_run_id: first?.run_id, depth: 1, status: "completed" });
  const told = readBus(openBus(root, taskOf(root))).entries.find(({ type }) => type === "CHILD_DONE");
  expect(told).toMatchObject({ meta: { child_run_id: second?.run_id, parent_run_id: first?.run_id } });
  expect(readFileSync(path.join(runsOf(root)[1]?.path ?? "", "prompt.md"), "utf8")).toBe("Rake");
});

test("an agent that clears its environment does not speak as a person: it is refused, and its DONE counts at once", async () => {
  const says = `run-agent bus post "Go on with the roses" 2>refused; echo $? >>refused`;
  const { root, agent, run } = makePlace(
    `env -i PATH="$PATH" HOME="$HOME" sh -c 'cd "$1" && ${says}' sh "$JRUN_TASK_FOLDER"; ${done}`,
  );
  const { code, words } = await run("task", "-p", "garden", "--command", agent, "Water the plants");
  expect({ code, words }).toMatchObject({ code: 0 });
  const refused = readFileSync(path.join(taskOf(root).path, "refused"), "utf8");
  expect(refused).toMatch(
    /called from an agent's run, and its variables are missing\. Nothing was done\.[\s\S]*\n2\n$/,
  );
  expect(readBus(openBus(root, taskOf(root))).entries.filter(({ type }) => type === "USER")).toEqual([]);
  expect(infosOf(root)).toHaveLength(1);
});

test.each([
  ["an option", 1, ["--set", "max_delegation_depth=1"], {}],
  ["an option", 2, ["--set", "max_delegation_depth=2"], {}],
  ["a variable", 1, [], { RUN_AGENT_MAX_DELEGATION_DEPTH: "1" }],
  ["the config file", 1, ["--config", "config.hcl"], {}],
] as const)("agents go as deep as %s says: %i below the first", async (_, depth, options, variables) => {
  const again = `run-agent job --command "$0" Rake >> "$HOME/said" 2>&1`;
  const { root, agent, run, folder } = makePlace(`${again}; ${done}`, variables);
  writeFileSync(path.join(folder, "config.hcl"), "max_delegation_depth = 1\n");
  await run(...options, "task", "-p", "garden", "--command", agent, "Water the plants");
  expect(infosOf(root).map((info) => info.status !== "unknown" && info.depth)).toEqual(
    Array.from({ length: depth + 1 }, (_none, at) => at),
  );
  expect(readFileSync(path.join(folder, "said"), "utf8")).toContain(`${depth} levels deep, which is the limit`);
});

test("a task that an agent starts in the background outlives it, and the agent's own task waits for it", async () => {
  const sub = `run-agent task --detach --name leaves --command '["sh","-c","sleep 2; touch \\"$JRUN_TASK_FOLDER/DONE\\""]' Rake`;
  const { root, agent, run } = makePlace(`${sub} > "$HOME/sub" && ${done}`);
  const { code } = await run("task", "-p", "garden", "--command", agent, "--name", "water", "Water the plants");
  expect(code).toBe(0);
  const tasks = tasksOf(root);
  const leaves = tasks.find(({ taskId }) => taskId.endsWith("leaves"));
  const water = tasks.find(({ taskId }) => taskId.endsWith("water"));
  if (leaves === undefined || water === undefined) throw new Error("both tasks are there");
  expect(existsSync(path.join(leaves.path, "DONE"))).toBe(true);
  const [root_, child] = [water, leaves].map((task) => listRuns(root, task).map((each) => readRunInfo(root, each)));
  expect(child).toMatchObject([{ status: "completed", depth: 1, parent_run_id: root_?.[0]?.run_id }]);
});
