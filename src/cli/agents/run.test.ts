// What `job`, `task` and `stop` refuse, and what they say then. Agents at work are in test/process/run-agent-task.test.ts.

import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { makeAgentCli } from "../../../test/helpers/agent-cli.ts";
import { makeRun, makeTask, removeFolders, variablesOf } from "../../../test/helpers/runner-root.ts";
import { listProjects, listRuns, listTasks } from "../../runner/layout/runner-root.ts";
import { keepTaskText, readStop, requestStop } from "../../runner/layout/task-files.ts";

afterEach(removeFolders);

function begin() {
  const cli = makeAgentCli();
  const agent = path.join(cli.home, "agent.sh");
  writeFileSync(agent, "#!/bin/sh\n");
  chmodSync(agent, 0o755);
  const task = makeTask(cli.root);
  keepTaskText(cli.root, task, "Water the plants");
  return { ...cli, task, agent };
}

test("a verb with a slip in it starts nothing", async () => {
  const { run, root } = begin();
  const ran = await run(["task", "delte", "-p", "garden"]);
  expect(ran).toMatchObject({ code: 2, words: expect.stringContaining("Did you mean delete?") });
  expect(listProjects(root).flatMap((project) => listTasks(root, project))).toHaveLength(1);
});

test("without an agent it is said how to get one", async () => {
  const { run } = begin();
  for (const args of [
    ["job", "-t", "water", "x"],
    ["task", "-t", "water"],
  ])
    expect(await run(args)).toMatchObject({
      code: 2,
      words: expect.stringContaining("Install one, or name a program with --command."),
    });
  expect((await run(["job", "-t", "water", "--command", "./missing.sh", "x"])).words).toContain(
    "./missing.sh cannot be found",
  );
  expect((await run(["job", "-t", "water", "--agent", "clade", "x"])).words).toContain("Did you mean claude?");
});

test("agents may start agents sixteen levels deep", async () => {
  const { run, root, task, agent } = begin();
  const parent = makeRun(root, task, { depth: 16 });
  const environment = { ...variablesOf(parent), PATH: "/bin" };
  const ran = await run(["job", "--command", agent, "x"], { environment });
  expect(ran).toMatchObject({ code: 5, words: expect.stringContaining("16 levels deep, which is the limit") });
  expect(listRuns(root, task)).toHaveLength(1);
});

test("a program that calls itself a loop stops nothing, and starts nothing of its own", async () => {
  const { run, root, task, agent } = begin();
  const environment = { RUN_AGENT_SHIM: "x", PATH: "/bin" };
  for (const args of [
    ["stop", "-t", "water"],
    ["task", "cancel", "-t", "water"],
    ["task", "-t", "water", "--command", agent],
    ["task", "-p", "garden", "--command", agent, "Mow the lawn"],
    ["job", "-t", "water", "--command", agent, "x"],
  ])
    expect((await run(args, { environment })).words).toContain("A loop of run-agent only drives its task.");
  expect([readStop(root, task), listRuns(root, task)]).toEqual([null, []]);
  expect(listProjects(root).flatMap((project) => listTasks(root, project))).toHaveLength(1);
});

test("an agent cannot wait for its own task, or go on with a stopped one", async () => {
  const { run, root, task, agent } = begin();
  const parent = makeRun(root, task);
  const environment = { ...variablesOf(parent), PATH: "/bin" };
  expect((await run(["task", "--command", agent], { environment })).words).toContain(
    "This is the task that you are working on",
  );
  requestStop(root, task, "ann", "lunch");
  for (const args of [["job", "x"], ["task"]])
    expect((await run([...args, "-t", "water", "--command", agent])).words).toContain(
      "was stopped by ann: lunch. To go on: run-agent task resume",
    );
});

test("an objective that is empty, or for a task that is there, is refused", async () => {
  const { run, agent } = begin();
  expect((await run(["task", "-p", "garden", "--command", agent, " "])).words).toContain("The objective is empty");
  expect((await run(["task", "-t", "water", "--command", agent, "More"])).words).toContain(
    "To say something to a task: run-agent bus post",
  );
});

test("DONE as a folder is told of, and no agent is started", async () => {
  const { run, root, task, agent } = begin();
  mkdirSync(path.join(task.path, "DONE"));
  const ran = await run(["task", "-t", "water", "--command", agent]);
  expect(ran).toMatchObject({ code: 5, words: expect.stringContaining("DONE must be a file. Remove it.") });
  expect(listRuns(root, task)).toEqual([]);
});

test("a stop is recorded also where nothing runs", async () => {
  const { run, root, task } = begin();
  const ran = await run(["stop", "-t", "water", "--reason", "later"], { environment: { USER: "ann" } });
  expect(ran).toMatchObject({ code: 0, words: expect.stringContaining("The stop is recorded.") });
  expect(readStop(root, task)).toMatchObject({ by: "ann", reason: "later" });
});

const newTask = ["task", "-p", "garden", "--name", "prune", "Prune the roses"];

test.each<[string, readonly string[], string]>([
  ["a setting that is none", ["--set", "max_restart=3"], "Did you mean max_restarts?"],
  ["a value that is none", ["--set", "max_restarts=many"], "must be a whole number"],
  ["a setting without effect", ["--set", "deploy_ssh_key=/k"], "not kept in a git repository"],
  ["an agent that is not there", ["--agent", "clade"], "Did you mean claude?"],
  ["a program that is not there", ["--command", "./missing.sh"], "./missing.sh cannot be found"],
  ["an agent and a program beside it", ["--agent", "claude", "--command", "AGENT"], "would do nothing beside --agent"],
  ["a folder that is not there", ["--command", "AGENT", "--cwd", "/none"], "there is no folder /none"],
  ["a parent that is not there", ["--command", "AGENT", "--parent-run-id", "nobody"], "There is no run nobody"],
  [
    "a task before it that is not there",
    ["--command", "AGENT", "--depends-on", "task-20200101-000000-none"],
    "There is no task",
  ],
  [
    "an agent that only answers",
    ["--set", "agents.perplexity.model=sonar", "--agent", "perplexity"],
    "answers and has no tools",
  ],
  ["only agents that answer", ["--set", "agents.perplexity.model=sonar"], "perplexity of the settings can only answer"],
])("%s is told before a task is made", async (_, args, words) => {
  const { run, root, agent } = begin();
  const ran = await run([...newTask, ...args.map((each) => (each === "AGENT" ? agent : each))]);
  expect([ran.code === 2 || ran.code === 3, ran.words]).toEqual([true, expect.stringContaining(words)]);
  expect(listProjects(root).flatMap((project) => listTasks(root, project))).toHaveLength(1);
});

test("with settings that can be used the task is made, also in a new project", async () => {
  for (const project of ["garden", "meadow"]) {
    const { run, root, agent } = begin();
    const openAgents = () => Promise.reject(new Error("far enough"));
    await run([...newTask.with(2, project), "--command", agent], { openAgents });
    expect(listProjects(root).flatMap((each) => listTasks(root, each))).toHaveLength(2);
  }
});

test.each<[string, readonly string[]]>([
  ["--name", ["--name", "roses"]],
  ["--depends-on", ["--depends-on", "task-20200101-000000-no"]],
])("%s is refused for a task that is there", async (name, args) => {
  const { run, agent } = begin();
  const ran = await run(["task", "-t", "water", "--command", agent, ...args]);
  expect(ran).toMatchObject({ code: 2, words: expect.stringContaining(`${name} would do nothing`) });
});

test.each([
  ["the limit of whoever began", { depth: 2, depth_max: 2 }, [], "2 levels deep"],
  ["a lower one of one's own", { depth: 2, depth_max: 5 }, ["--set", "max_delegation_depth=2"], "2 levels deep"],
  [
    "a higher one of one's own raises nothing",
    { depth: 2, depth_max: 2 },
    ["--set", "max_delegation_depth=9"],
    "2 levels deep",
  ],
  ["below the limit", { depth: 2, depth_max: 3 }, [], "far enough"],
  ["below a limit that is higher than usual", { depth: 20, depth_max: 30 }, [], "far enough"],
] as const)("how deep an agent may start agents: %s", async (_, facts, args, words) => {
  const { run, root, task, agent } = begin();
  const environment = { ...variablesOf(makeRun(root, task, facts)), PATH: "/bin" };
  const openAgents = () => Promise.reject(new Error("far enough"));
  expect((await run(["job", ...args, "--command", agent, "x"], { environment, openAgents })).words).toContain(words);
});
