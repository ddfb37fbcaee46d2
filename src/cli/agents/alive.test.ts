// What the terminal says of a task whose loop is alive while no agent runs, and how a person answers there.

import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { type AgentCli, makeAgentCli } from "../../../test/helpers/agent-cli.ts";
import { makeRun, makeTask, removeFolders, variablesOf } from "../../../test/helpers/runner-root.ts";
import { putLoop, running, waitingFor, whileDriven } from "../../../test/helpers/task-loop.ts";
import type { RunState } from "../../domain/run/run.ts";
import { openBus } from "../../runner/bus/bus.ts";
import { readBus } from "../../runner/bus/read-bus.ts";
import { endRun } from "../../runner/layout/run-info.ts";
import { createTask, type TaskFolder } from "../../runner/layout/runner-root.ts";
import { keepHomeworkRun, writeDone } from "../../runner/layout/task-files.ts";

afterAll(removeFolders);

let cli: AgentCli;
let task: TaskFolder;
beforeEach(() => {
  cli = makeAgentCli();
  task = makeTask(cli.root);
});

const json = async (...args: readonly string[]) => JSON.parse((await cli.run([...args, "--json"])).out);
const said = () => readBus(openBus(cli.root, task)).entries;

/** An agent that has ended with a question; its loop waits. */
async function ask(where = task, text = "Which tap?") {
  const run = makeRun(cli.root, where);
  await endRun(cli.root, run, { exitCode: 0, isSuccess: true });
  const { msg_id: id } = await openBus(cli.root, where).post({ type: "QUESTION", run_id: run.runId, body: text });
  await putLoop(cli.root, where, { state: waitingFor(id, text) });
  return id;
}

const completed: RunState = {
  status: "completed",
  iteration: 2,
  proofs: [{ checkId: "done", result: "passed", detail: "DONE is there", evidence: [] } as never],
};

describe("watch", () => {
  /** What is seen while the loop goes through these states; the last one is its end. */
  async function watch(...states: readonly RunState[]) {
    let seen = "";
    const [first = running, ...rest] = states;
    const run = makeRun(cli.root, task);
    await endRun(cli.root, run, { exitCode: 0, isSuccess: true });
    await putLoop(cli.root, task, { state: first });
    let ran: Awaited<ReturnType<AgentCli["run"]>> | null = null;
    await whileDriven(cli.root, task, async () => {
      const terminal = {
        out: (text: string) => {
          seen += text;
          const next = rest.shift();
          if (next === undefined) return;
          void putLoop(cli.root, task, { state: next });
          if (next.status === "completed") writeDone(cli.root, task);
        },
      };
      ran = await cli.run(["watch", "-t", "water"], { terminal });
    });
    const statuses = seen.split("\n").flatMap((line) => /^[a-z]+(?: [a-z]+)?(?= )/.exec(line)?.[0] ?? []);
    return { ...(ran as unknown as Awaited<ReturnType<AgentCli["run"]>>), statuses };
  }

  test("goes on between two starts, while a person is asked and while a provider holds the task", async () => {
    const id = await ask();
    const held: RunState = { status: "running", iteration: 2, hold: { untilMs: 9e12, why: "a limit" } };
    const ran = await watch(running, waitingFor(id, "Which tap?"), held, completed);
    expect(ran).toMatchObject({ code: 0, words: "The task is done.\n" });
    expect(ran.statuses).toEqual(["starting", "needs you", "on hold", "done"]);
  });

  test.each<[RunState, number, string]>([
    [{ status: "stopped", iteration: 2, reason: "no_progress", detail: "No progress" }, 20, "stopped. No progress"],
    [{ status: "failed", iteration: 2, detail: "No worker survived" }, 21, "failed. No worker survived"],
    [{ status: "canceled", iteration: 2 }, 22, "canceled. It was canceled."],
  ])("says how the task ended: %j", async (end, code, words) => {
    const ran = await watch(running, end);
    expect(ran).toMatchObject({ code, words: expect.stringContaining(words) });
  });

  test("a task that waits for an answer and that nothing works on is not watched for ever", async () => {
    await ask();
    const ran = await cli.run(["watch", "-t", "water"]);
    expect(ran).toMatchObject({ code: 23, words: expect.stringContaining("Answer: run-agent answer -p garden -t") });
  });
});

test("list and status say the same, and when it goes on", async () => {
  const run = makeRun(cli.root, task);
  await endRun(cli.root, run, { exitCode: 1, isSuccess: false });
  const untilMs = Date.now() + 3_600_000;
  const hold = { untilMs, why: "5 hour limit" };
  await putLoop(cli.root, task, { state: { status: "running", iteration: 2, hold } });
  await whileDriven(cli.root, task, async () => {
    const one = await json("status", "-t", "water");
    const [listed] = (await json("list")).tasks;
    expect(one).toMatchObject({ status: "held", is_alive: true, until: new Date(untilMs).toISOString() });
    expect(listed).toMatchObject({ status: "held", why: "On hold: 5 hour limit", until: one.until, active_runs: 0 });
    expect((await cli.run(["status", "-t", "water"])).out).toMatch(/Goes on +in (59 minutes|1 hour)/);
  });
  expect(await json("status", "-t", "water")).toMatchObject({ status: "ended", is_alive: false });
});

test("the task of a Homework run is not told as ended between two agents", async () => {
  const homeworkRun = "0198c2a4-0000-7000-8000-000000000001";
  const words = `No agent is at work. How the run stands: homework show ${homeworkRun}`;
  keepHomeworkRun(cli.root, task, homeworkRun);
  await endRun(cli.root, makeRun(cli.root, task), { exitCode: 1, isSuccess: false });
  const listed = await cli.run(["list"]);
  expect(listed.words).toBe(`garden/${task.taskId}: ${words}\n`);
  expect(listed.out).toMatch(/ - +1 /);
  expect((await cli.run(["status", "-t", "water"])).out).toContain(`Status  ${words}\n`);
  expect(await json("status", "-t", "water")).toMatchObject({ why: words, restart: { will_restart: "unknown" } });
  expect(await cli.run(["watch", "-t", "water"])).toMatchObject({
    code: 5,
    words: expect.stringContaining(`This task is the work of a Homework run. Use homework watch ${homeworkRun}.`),
  });
});

test("watch ends well when the last agent of a Homework run has", async () => {
  keepHomeworkRun(cli.root, task, "0198c2a4-0000-7000-8000-000000000001");
  const run = makeRun(cli.root, task);
  const watched = cli.run(["watch"], {
    terminal: { out: () => void endRun(cli.root, run, { exitCode: 0, isSuccess: true }) },
  });
  expect(await watched).toMatchObject({
    code: 0,
    words: expect.stringContaining("No agent is at work. How the run stands"),
  });
});

describe("a question", () => {
  test("stands with the command that answers it in list, status and watch, and that command answers it", async () => {
    await ask();
    await whileDriven(cli.root, task, async () => {
      const command = `run-agent answer -p garden -t ${task.taskId} "your answer"`;
      expect((await cli.run(["list"])).words).toContain(`asks: Which tap?\n  Answer: ${command}\n`);
      const shown = await cli.run(["status", "-t", "water"]);
      expect(shown.out).toContain("needs you: It waits for your answer");
      expect(shown.out).toContain(`asks: Which tap?\n  Answer: ${command}\n`);
      const args = command.split(" ").slice(1, -2);
      expect(await cli.run([...args, "The left one"])).toMatchObject({ code: 0, words: "Answered.\n" });
      expect((await cli.run(["list"])).words).not.toContain("asks:");
    });
    const [question, answer] = said();
    expect(answer).toMatchObject({ type: "ANSWER", run_id: "", parents: [{ msg_id: question?.msg_id }] });
    expect(answer?.body).toBe("The left one");
  });

  test("is answered without naming the task where only one asks, and by a part of its name", async () => {
    await ask();
    expect((await cli.run(["answer", "The left one"])).words).toContain(
      "Answered. Nothing works on the task now; to go on: run-agent task -p garden -t",
    );
    await ask();
    expect((await cli.run(["answer", "water", "The right one"])).code).toBe(0);
    await ask();
    expect((await cli.run(["answer"], { input: "From stdin" })).code).toBe(0);
    expect(said().flatMap(({ type, body }) => (type === "ANSWER" ? [body] : []))).toEqual([
      "The left one",
      "The right one",
      "From stdin",
    ]);
  });

  test("of two tasks is not guessed, nor one of two questions of a task", async () => {
    const id = await ask();
    const other = createTask(cli.root, "house", "Paint the door");
    await ask(other, "Which color?");
    const ran = await cli.run(["answer", "Red"]);
    expect(ran).toMatchObject({ code: 2, out: "" });
    expect(ran.words).toMatch(/2 tasks wait for an answer[\s\S]*asks: Which tap\?[\s\S]*asks: Which color\?/);
    await whileDriven(cli.root, task, async () => {
      const run = makeRun(cli.root, task);
      await openBus(cli.root, task).post({ type: "QUESTION", run_id: run.runId, body: "How long?" });
      const two = await cli.run(["answer", "water", "An hour"]);
      expect(two).toMatchObject({ code: 2, words: expect.stringContaining("2 questions are open") });
      expect((await cli.run(["answer", "water", "The left one", "--question", id])).code).toBe(0);
      expect((await cli.run(["answer", "water", "An hour"])).code).toBe(0);
    });
  });

  test("of nobody, or one that is not open, is told", async () => {
    expect(await cli.run(["answer", "Red"])).toMatchObject({ code: 3, words: expect.stringContaining("No agent") });
    expect(await cli.run(["answer", "water", "Red"])).toMatchObject({
      code: 5,
      words: expect.stringContaining("has no open question (not started)"),
    });
  });

  test("is not answered by an agent", async () => {
    const run = makeRun(cli.root, task);
    await openBus(cli.root, task).post({ type: "QUESTION", run_id: run.runId, body: "May I?" });
    const ran = await cli.run(["answer", "Yes"], { environment: variablesOf(run) });
    expect(ran).toMatchObject({ code: 4, words: expect.stringContaining("are answered by people") });
    expect(said()).toHaveLength(1);
  });
});
