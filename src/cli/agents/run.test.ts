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
      code: 5,
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
