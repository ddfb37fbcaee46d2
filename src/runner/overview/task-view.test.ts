import { afterEach, beforeEach, expect, test } from "vitest";
import { makeRoot, makeRun, makeTask, removeFolders } from "../../../test/helpers/runner-root.ts";
import { putLoop, running, waitingFor, whileDriven } from "../../../test/helpers/task-loop.ts";
import { openBus } from "../bus/bus.ts";
import { endRun } from "../layout/run-info.ts";
import type { RunFolder, RunnerRoot, TaskFolder } from "../layout/runner-root.ts";
import { writeDone } from "../layout/task-files.ts";
import { viewTask } from "./task-view.ts";

afterEach(removeFolders);

let root: RunnerRoot;
let task: TaskFolder;
beforeEach(() => {
  root = makeRoot();
  task = makeTask(root);
});

const ask = async (run: RunFolder | null, body: string) =>
  (await openBus(root, task).post({ type: "QUESTION", body, ...(run === null ? {} : { run_id: run.runId }) })).msg_id;
const ended = async () => {
  const run = makeRun(root, task);
  await endRun(root, run, { exitCode: 0, isSuccess: true });
  return run;
};
const view = () => {
  const { status, isAlive, questions } = viewTask(root, task);
  return { status, isAlive, asked: questions.map(({ body }) => body) };
};

test("a loop that waits shows the questions that it waits for, and nothing of earlier starts", async () => {
  await ask(await ended(), "Of the first start");
  const id = await ask(await ended(), "Which tap?");
  await putLoop(root, task, { state: waitingFor(id, "Which tap?") });
  await whileDriven(root, task, async () => {
    expect(view()).toEqual({ status: "waiting", isAlive: true, asked: ["Which tap?"] });
    await openBus(root, task).post({ type: "ANSWER", body: "The left one", parents: [id] });
    expect(view().asked).toEqual([]);
  });
});

test("a loop that goes on shows the questions of runs at work alone", async () => {
  await ask(await ended(), "Of the first start");
  await putLoop(root, task, { state: running });
  await whileDriven(root, task, async () => {
    expect(view()).toEqual({ status: "starting", isAlive: true, asked: [] });
    await ask(makeRun(root, task), "May I?");
    expect(view()).toEqual({ status: "waiting", isAlive: true, asked: ["May I?"] });
  });
});

test("a question ends with its task", async () => {
  const id = await ask(await ended(), "Which tap?");
  await putLoop(root, task, { state: waitingFor(id, "Which tap?") });
  expect(view()).toEqual({ status: "waiting", isAlive: false, asked: ["Which tap?"] });
  await putLoop(root, task, { state: { status: "canceled", iteration: 2 } });
  expect(view()).toEqual({ status: "canceled", isAlive: false, asked: [] });
});

test("without a loop the question with which the last run ended is shown until it is answered or the task is done", async () => {
  const left = await ended();
  await ask(left, "Of a run before");
  await ask(await ended(), "Which tap?");
  expect(view()).toEqual({ status: "ended", isAlive: false, asked: ["Which tap?"] });
  writeDone(root, task);
  expect(view().asked).toEqual([]);
});

test("a question that no run asks is shown", async () => {
  await ask(null, "Anyone?");
  expect(view()).toEqual({ status: "new", isAlive: false, asked: ["Anyone?"] });
});
