import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { makeRoot, makeTask, removeFolders } from "../../../test/helpers/runner-root.ts";
import { findNewStates } from "../../domain/run/gate/progress.ts";
import { openBus } from "../bus/bus.ts";
import type { RunnerRoot, TaskFolder } from "../layout/runner-root.ts";
import { writeDone, writeTaskState } from "../layout/task-files.ts";
import { compareWork, readWork } from "./work-states.ts";

afterEach(removeFolders);

type Change = (task: TaskFolder, root: RunnerRoot) => unknown;
const put =
  (name: string, text: string): Change =>
  (task) => {
    const file = path.join(task.path, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
const post =
  (type: string, body: string, by = "agent"): Change =>
  (task, root) =>
    openBus(root, task).post({ type, body, meta: { by } });

/** How many things are new after the change. */
async function count(change: Change, before: readonly Change[] = []): Promise<number> {
  const root = makeRoot();
  const task = makeTask(root);
  for (const each of before) await each(task, root);
  const then = readWork(root, task, task.path);
  await change(task, root);
  return findNewStates({ states: [] }, compareWork(then, readWork(root, task, task.path))).entitiesWritten;
}

test.each<[string, Change, readonly Change[]]>([
  ["a new file", put("a.txt", "x"), []],
  ["other content", put("a.txt", "y"), [put("a.txt", "x")]],
  ["a file that is gone", (task) => rmSync(path.join(task.path, "a")), [put("a", "x")]],
  ["a state", (task, root) => writeTaskState(root, task, "half of it"), []],
  ["a fact on the bus", post("FACT", "the tap drips"), []],
  ["a fact in a file", put("TASK-FACTS-20261116-1200000000.md", "---\ntitle: x\n---\nthe tap drips"), []],
  [
    "a commit",
    put(".git/refs/heads/main", "bbb"),
    [put(".git/HEAD", "ref: refs/heads/main\n"), put(".git/refs/heads/main", "aaa")],
  ],
])("progress: %s", async (_what, change, before) => expect(await count(change, before)).toBe(1));

test.each<[string, Change, readonly Change[]]>([
  ["nothing", () => {}, [put("a", "x")]],
  ["a file touched", (task) => utimesSync(path.join(task.path, "a"), 1, 1), [put("a", "x")]],
  ["the same fact again", post("FACT", "the  tap drips"), [post("FACT", "the tap drips")]],
  ["words that are no facts", post("PROGRESS", "working on it"), []],
  ["a fact of the runner's own", post("FACT", "dependencies are done", "run-agent"), []],
  [
    "another time in the state",
    (task, root) => writeTaskState(root, task, "waiting, 12:31"),
    [(task, root) => writeTaskState(root, task, "waiting, 12:30")],
  ],
  [
    "a state that was removed",
    (task) => rmSync(path.join(task.path, "TASK_STATE.md")),
    [(task, root) => writeTaskState(root, task, "x")],
  ],
  ["the folder of a run", put("runs/20261116-1200000000-1/output.md", "x"), []],
  ["DONE, which its check counts", (task, root) => writeDone(root, task), []],
  ["a log", put("agent.log", "again"), []],
  ["what tools leave behind", put("node_modules/.cache/x", "x"), []],
])("no progress: %s", async (_what, change, before) => expect(await count(change, before)).toBe(0));

test("back to what it was before is no progress either", async () => {
  const root = makeRoot();
  const task = makeTask(root);
  const look = () => readWork(root, task, task.path);
  const [first, second, third] = [
    ["a", "1"],
    ["a", "2"],
    ["a", "1"],
  ].map(([name = "", text = ""]) => {
    put(name, text)(task, root);
    return look();
  });
  if (!first || !second || !third) throw new Error("three looks");
  const there = findNewStates({ states: [] }, compareWork(first, second));
  expect(findNewStates({ states: there.states }, compareWork(second, third)).entitiesWritten).toBe(0);
});
