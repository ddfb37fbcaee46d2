// The same task, started by `run-agent task` without a server and by a Homework run with the engine agent: the same program, the same
// loop and the same gate, so both end the same way and leave the same behind.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { routes } from "../../src/protocol/api.ts";
import { openBus } from "../../src/runner/bus/bus.ts";
import { readBus } from "../../src/runner/bus/read-bus.ts";
import { readFacts } from "../../src/runner/layout/facts.ts";
import { readRunInfo } from "../../src/runner/layout/run-info.ts";
import {
  findTask,
  listProjects,
  listRuns,
  listTasks,
  type RunnerRoot,
  type TaskFolder,
} from "../../src/runner/layout/runner-root.ts";
import { isDone } from "../../src/runner/layout/task-files.ts";
import { readTaskRun } from "../../src/runner/task/task-run.ts";
import { makeRepository } from "../helpers/make-repository.ts";
import { patienceMs } from "../helpers/patience.ts";
import { makeRoot, removeFolders } from "../helpers/runner-root.ts";
import { removeDataFolder, startServer, stopServer } from "../helpers/served.ts";
import { runGit } from "../helpers/test-git.ts";
import { copyUsedDataFolder } from "../helpers/used-data-folder.ts";

const data = copyUsedDataFolder();
const place = path.join(data, "of-the-test");
mkdirSync(place, { recursive: true });

/** What the agent does is told by its task, so that one program plays all of them. */
const work = `task=$(cat)
commit() { git add -A && git commit -q -m "$1"; }
case "$task" in
*"Water the plants"*)
  echo wet > beds.txt; commit "Water the beds"
  run-agent facts add "Soil" "The soil is dry" > /dev/null
  touch "$JRUN_TASK_FOLDER/DONE"; echo "All beds are wet.";;
*"Sow in two steps"*)
  if [ -e seeds.txt ]; then
    echo sown > beds.txt; commit "Sow the seeds"; touch "$JRUN_TASK_FOLDER/DONE"; echo "Sown."
  else
    echo beans > seeds.txt; commit "Buy seeds"; echo "Seeds are here."
  fi;;
*) echo "I would rather rest.";;
esac`;
writeFileSync(path.join(place, "work.sh"), work);
const configFile = path.join(place, "config.hcl");
const command = JSON.stringify(["sh", path.join(place, "work.sh")]);
writeFileSync(configFile, `restart_delay = "0s"\nagent "gardener" {\n  type = "command"\n  command = ${command}\n}\n`);

const check = ["sh", "test.sh"] as const;
const files = { "test.sh": "[ -e beds.txt ]\n" };
const server = await startServer(data, { settings: { HOMEWORK_AGENT_CONFIG: configFile } });
afterAll(async () => {
  await stopServer(server);
  await removeDataFolder(data);
  removeFolders();
});

/** What is compared. */
type End = {
  readonly status: string;
  readonly reason: string | null;
  readonly why: string;
  readonly iterations: number;
  readonly isDone: boolean;
  readonly agents: readonly unknown[];
  readonly bus: readonly string[];
  readonly facts: readonly string[];
  readonly commits: readonly string[];
  readonly files: readonly string[];
};

const linesOf = async (folder: string, ...args: readonly string[]): Promise<readonly string[]> =>
  (await runGit(folder, args)).stdout.split("\n").filter((line) => line !== "");

/** The same files in the same layout, whoever made them. */
async function readEnd(root: RunnerRoot, task: TaskFolder, repository: string, branch: string) {
  const infos = listRuns(root, task).map((run) => readRunInfo(root, run));
  return {
    isDone: isDone(root, task),
    agents: infos.map((info) =>
      info.status === "unknown" ? info : [info.agent_name, info.status, info.exit_code, info.previous_run_id !== ""],
    ),
    bus: readBus(openBus(root, task))
      .entries.map(({ type }) => type)
      .filter((type) => type === "START" || type === "STOP"),
    facts: readFacts(root, task).map(({ title, text }) => `${title}: ${text.trim()}`),
    commits: await linesOf(repository, "log", "--format=%s", "--reverse", branch),
    files: await linesOf(repository, "ls-tree", "-r", "--name-only", branch),
  };
}

async function alone(objective: string): Promise<End> {
  const repository = await makeRepository(files);
  const root = makeRoot();
  const bin = fileURLToPath(new URL("../../bin/run-agent.js", import.meta.url));
  const options = ["--root", root.folder, "--config", configFile, "--json"];
  const child = spawn(
    process.execPath,
    [bin, ...options, "task", "-p", "garden", "--cwd", repository, "--check", check.join(" "), objective],
    { env: { PATH: process.env.PATH ?? "", HOME: place }, stdio: ["ignore", "ignore", "inherit"] },
  );
  await once(child, "close");
  const task = listProjects(root).flatMap((project) => listTasks(root, project))[0];
  if (task === undefined) throw new Error("there is a task");
  const run = await readTaskRun(root, task);
  if (run === null) throw new Error("there is a run");
  const { state } = run;
  return {
    status: state.status,
    reason: state.status === "stopped" ? state.reason : null,
    why: "detail" in state ? state.detail : "",
    iterations: state.iteration,
    ...(await readEnd(root, task, repository, "main")),
  };
}

async function asRun(objective: string): Promise<End> {
  const repository = await makeRepository(files);
  const [program, ...args] = check;
  const { run_id: runId } = await server.api(routes.runs.create, {
    body: {
      objective,
      engine: "agent",
      work_folder: repository,
      judge: false,
      completion_criteria: [{ kind: "command_succeeds", program, args }],
    },
  });
  const run = await untilEnded(runId);
  const { work: kept } = await server.api(routes.runs.work, { params: { runId } });
  const shown = kept?.agent_task;
  if (!kept || !shown) throw new Error("the run has a place");
  const root = makeRoot({ folder: path.join(data, "agents") });
  const task = findTask(root, shown.project_id, shown.task_id);
  if (task === null) throw new Error("the run has a task");
  return {
    status: run.status,
    reason: run.stop_reason?.type ?? null,
    why: run.stop_reason?.detail ?? "",
    iterations: run.iteration,
    ...(await readEnd(root, task, repository, kept.branch)),
  };
}

async function untilEnded(runId: string) {
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += 50) {
    const { run } = await server.api(routes.runs.get, { params: { runId }, query: {} });
    if (["completed", "stopped", "failed", "canceled", "waiting_on_user"].includes(run.status)) return run;
    await sleep(50);
  }
  throw new Error("never: the run ends");
}

async function both(objective: string): Promise<End> {
  const [one, other] = [await alone(objective), await asRun(objective)];
  expect(other).toEqual(one);
  return one;
}

test("success with DONE", async () => {
  expect(await both("Water the plants")).toEqual({
    status: "completed",
    reason: null,
    why: "",
    iterations: 1,
    isDone: true,
    agents: [["gardener", "completed", 0, false]],
    bus: ["START", "STOP"],
    facts: ["Soil: The soil is dry"],
    commits: ["First", "Water the beds"],
    files: ["beds.txt", "test.sh"],
  });
});

test("an exit without DONE, then success", async () => {
  expect(await both("Sow in two steps")).toMatchObject({
    status: "completed",
    iterations: 2,
    isDone: true,
    agents: [
      ["gardener", "completed", 0, false],
      ["gardener", "completed", 0, true],
    ],
    commits: ["First", "Buy seeds", "Sow the seeds"],
    files: ["beds.txt", "seeds.txt", "test.sh"],
  });
});

test("an agent that does nothing is stopped by the breaker, with the same reason", async () => {
  const { status, reason, why, isDone: hasDone, commits } = await both("Rest");
  expect({ status, reason, hasDone, commits }).toEqual({
    status: "stopped",
    reason: "no_progress",
    hasDone: false,
    commits: ["First"],
  });
  expect(why).toContain("To go on:");
});
