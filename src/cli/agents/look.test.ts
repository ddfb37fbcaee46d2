import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { type AgentCli, makeAgentCli } from "../../../test/helpers/agent-cli.ts";
import { makeRun, makeTask, removeFolders } from "../../../test/helpers/runner-root.ts";
import { endRun } from "../../runner/layout/run-info.ts";
import { createTask, inRun, inTask, type TaskFolder } from "../../runner/layout/runner-root.ts";
import { keepTaskText, requestStop, writeDone, writeTaskState } from "../../runner/layout/task-files.ts";

afterAll(removeFolders);

let cli: AgentCli;
let task: TaskFolder;
beforeEach(() => {
  cli = makeAgentCli();
  task = makeTask(cli.root);
  keepTaskText(cli.root, task, "# Water the plants\n");
});

const out = async (...args: readonly string[]) => (await cli.run(args)).out;
const json = async (...args: readonly string[]) => JSON.parse(await out(...args, "--json"));
const statusOf = async () => (await json("status", "-t", task.taskId)).status;
/** No process has this pid. */
const dead = { pid: 4_000_000_000, pgid: 4_000_000_000, process_started: "never" };
const ended = async (isSuccess: boolean) => {
  const run = makeRun(cli.root, task);
  await endRun(cli.root, run, {
    exitCode: isSuccess ? 0 : 3,
    isSuccess,
    ...(isSuccess ? {} : { error_summary: "No water" }),
  });
  return run;
};

describe("a task is", () => {
  test("new without a run", async () => expect(await statusOf()).toBe("new"));

  test("running while a run is alive", async () => {
    makeRun(cli.root, task);
    expect(await statusOf()).toBe("running");
  });

  test("failed when the process is gone without a word, and its record stays as it is", async () => {
    const run = makeRun(cli.root, task, dead);
    expect(await statusOf()).toBe("failed");
    expect(cli.root.disk.read(inRun(run, "info"))?.toString()).toContain("status: running");
  });

  test("waiting while a question has no answer", async () => {
    const run = makeRun(cli.root, task);
    await cli.run(["bus", "post", "-t", "water", "--type", "QUESTION", "--run", run.runId, "Which tap?"]);
    expect(await statusOf()).toBe("waiting");
    await cli.run(["bus", "post", "-t", "water", "--type", "ANSWER", "The left one"]);
    expect(await statusOf()).toBe("running");
  });

  test("running again after any word of a person, and waiting after the answer to something else", async () => {
    const run = makeRun(cli.root, task);
    const post = async (...args: readonly string[]) => (await out("bus", "post", "-t", "water", ...args)).trim();
    const before = await post("--type", "INFO", "Hello");
    await post("--type", "QUESTION", "--run", run.runId, "Which tap?");
    await post("--type", "ANSWER", "--parents", before, "Hello yourself");
    expect(await statusOf()).toBe("waiting");
    await post("--type", "USER", "Any tap");
    expect(await statusOf()).toBe("running");
  });

  test("ended without DONE, failed, done, finishing, stopped", async () => {
    await ended(true);
    expect(await statusOf()).toBe("ended");
    await ended(false);
    expect(await statusOf()).toBe("failed");
    requestStop(cli.root, task, "ann", "enough");
    expect(await statusOf()).toBe("stopped");
    writeDone(cli.root, task);
    expect(await statusOf()).toBe("done");
    makeRun(cli.root, task);
    expect(await statusOf()).toBe("finishing");
  });

  test("blocked until the task it needs is done", async () => {
    const next = (await out("task", "create", "-p", "garden", "--depends-on", task.taskId, "Harvest")).trim();
    const view = await json("status", "-t", next);
    expect(view).toMatchObject({ status: "blocked", why: `Needs ${task.taskId} to be done first.` });
    writeDone(cli.root, task);
    expect((await json("status", "-t", next)).status).toBe("new");
  });

  test("shown although a file of it is broken", async () => {
    mkdirSync(inTask(task, "done"));
    writeFileSync(inTask(task, "config"), "depends_on: 7\n");
    const ran = await cli.run(["status", "-t", "water"]);
    expect(ran).toMatchObject({ code: 0, out: expect.stringContaining("not started: No run was started yet.") });
    expect(ran.words).toContain("DONE must be a file");
    expect(ran.words).toContain("depends_on must be a list");
  });
});

describe("list", () => {
  test("an empty root says how to begin", async () => {
    const { run, root } = makeAgentCli();
    expect(await run(["list"])).toEqual({
      code: 0,
      out: "",
      words: `No tasks in ${root.folder} yet. Create one: run-agent task create -p <project> "…"\n`,
    });
  });

  test("shows tasks of all projects, the latest activity first, and those of a status", async () => {
    const other = createTask(cli.root, "house", "Paint the door");
    await ended(true);
    expect((await json("list")).tasks.map((each: { task_id: string }) => each.task_id)).toEqual([
      task.taskId,
      other.taskId,
    ]);
    expect((await json("list", "--status", "new")).tasks).toMatchObject([{ task_id: other.taskId }]);
    expect((await json("list", "-p", "house")).tasks).toHaveLength(1);
    expect((await cli.run(["list", "--status", "done"])).words).toBe("None of the 2 tasks has the status “done”.\n");
    expect((await cli.run(["list", "-n", "1"])).words).toBe("1 more; see them with a higher --limit.\n");
  });

  test("fits the terminal", async () => {
    writeTaskState(cli.root, task, "Half of the beds are done, the others follow tomorrow morning at six");
    await ended(false);
    const terminal = { columns: 80 };
    for (const args of [["list"], ["list", "-t", "water"]])
      for (const line of (await cli.run(args, { terminal })).out.trimEnd().split("\n"))
        expect(line.length, line).toBeLessThanOrEqual(80);
  });

  test("with a task, its runs", async () => {
    const run = await ended(false);
    expect(await out("list", "-t", "water")).toMatch(
      new RegExp(
        `^RUN +AGENT +STATUS +STARTED +TOOK +WHY\n${run.runId}  command  failed \\(3\\)  just now  0s    No water\n$`,
      ),
    );
  });
});

describe("status", () => {
  test("counts where no task is meant", async () => {
    expect(await json("status")).toMatchObject({ tasks: 1, by_status: { new: 1 } });
  });

  test("shows a run, by a part of its id", async () => {
    const run = await ended(false);
    const shown = await out("status", run.runId.slice(4), "-t", "water");
    expect(shown).toContain(`Run       ${run.runId}\n`);
    expect(shown).toContain("Why       No water\n");
    expect((await cli.run(["status", "nothing", "-t", "water"])).code).toBe(3);
  });

  test("a name that two tasks have is not guessed", async () => {
    createTask(cli.root, "house", "Water the plants");
    const ran = await cli.run(["status", "-t", "water"]);
    expect(ran).toMatchObject({ code: 2, out: "" });
    expect(ran.words).toMatch(/"water" is the name of 2 tasks.*\n {2}garden\/task-.*\n {2}house\/task-/);
  });
});

describe("output", () => {
  test("prints a file of the latest run, whole or its last lines", async () => {
    await ended(true);
    const run = await ended(true);
    writeFileSync(inRun(run, "output"), "one\ntwo\nthree\n");
    writeFileSync(inRun(run, "stdout"), `${"x".repeat(200_000)}\nlast é`);
    expect(await out("output", "-t", "water")).toBe("one\ntwo\nthree\n");
    expect(await out("output", "-t", "water", "--tail", "2")).toBe("two\nthree\n");
    expect(await out("output", "-t", "water", "--file", "stdout", "--tail", "1")).toBe("last é");
    expect(await out("output", "-t", "water", "--file", "stdout")).toHaveLength(200_007);
    expect(await json("output", "-t", "water")).toMatchObject({
      run_id: run.runId,
      exists: true,
      text: "one\ntwo\nthree\n",
    });
  });

  test("a file that is not there is told", async () => {
    await ended(true);
    const ran = await cli.run(["output", "-t", "water"]);
    expect(ran).toMatchObject({ code: 0, out: "", words: expect.stringMatching(/output\.md is not there\.\n$/) });
  });

  test("follows until the run has ended", async () => {
    const run = makeRun(cli.root, task);
    writeFileSync(inRun(run, "stdout"), "one\n");
    let seen = "";
    const terminal = {
      out: (text: string) => {
        seen += text;
        if (seen === "one\n") appendFileSync(inRun(run, "stdout"), "two\n");
        if (seen === "one\ntwo\n") void endRun(cli.root, run, { exitCode: 0, isSuccess: true });
      },
    };
    const ran = await cli.run(["output", "-t", "water", "--file", "stdout", "--follow"], { terminal });
    expect({ code: ran.code, seen }).toEqual({ code: 0, seen: "one\ntwo\n" });
  });

  test("a link instead of a file is not followed", async () => {
    const run = await ended(true);
    const { symlinkSync } = await import("node:fs");
    symlinkSync("/etc/passwd", inRun(run, "output"));
    const ran = await cli.run(["output", "-t", "water"]);
    expect(ran).toMatchObject({ code: 5, out: "", words: expect.stringContaining("links are not followed") });
  });
});

describe("watch", () => {
  test("says so where nothing is running", async () => {
    expect((await cli.run(["watch"])).words).toBe(`Nothing is running in ${cli.root.folder}.\n`);
  });

  test("goes on until all have ended, a line for each change", async () => {
    const run = makeRun(cli.root, task);
    let seen = "";
    const terminal = {
      out: (text: string) => {
        seen += text;
        if (seen.startsWith("running"))
          void endRun(cli.root, run, { exitCode: 0, isSuccess: true }).then(() => writeDone(cli.root, task));
      },
    };
    const ran = await cli.run(["watch"], { terminal });
    expect(ran).toMatchObject({ code: 0, words: "The task is done.\n" });
    expect(seen.split("\n").map((line) => line.split(" ")[0])).toEqual(expect.arrayContaining(["running", "done"]));
  });

  test("ends badly after the timeout", async () => {
    makeRun(cli.root, task);
    const ran = await cli.run(["watch", "--timeout", "1ms"]);
    expect(ran).toMatchObject({ code: 1, words: expect.stringContaining("Still running after the timeout") });
  });
});

test("a folder that is not ours is passed over", async () => {
  mkdirSync(path.join(cli.root.folder, "garden", "notes"));
  mkdirSync(path.join(cli.root.folder, ".hidden"));
  expect((await json("list")).tasks).toHaveLength(1);
});
