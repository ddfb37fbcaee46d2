import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  makeFolder,
  makeRoot,
  makeRun,
  makeTask,
  removeFolders,
  variablesOf,
} from "../../../test/helpers/runner-root.ts";
import type { RunFolder, RunnerRoot } from "../layout/runner-root.ts";
import { findCaller, isAgentIn } from "./find-caller.ts";
import type { ProcessRow } from "./process-table.ts";

afterAll(removeFolders);

let root: RunnerRoot;
let run: RunFolder;
let other: RunFolder;
beforeAll(() => {
  root = makeRoot();
  const task = makeTask(root);
  run = makeRun(root, task);
  other = makeRun(root, task);
});

type Variables = Readonly<Record<string, string>>;

const row = (marks: Partial<ProcessRow["marks"]> = {}): ProcessRow => ({
  ...{ pid: 1, started: "s", parent: 1, group: 1, cpuMs: 0, isPaused: false },
  marks: { tag: "", shim: "", parentRun: "", runFolder: "", taskFolder: "", ...marks },
});
/** A shell below the agent of a run, which its shim has started. */
const below = (of: RunFolder): readonly ProcessRow[] => [
  row(),
  row({ tag: `tag-${of.runId}`, runFolder: of.path }),
  row({ shim: `tag-${of.runId}` }),
  row(),
];
const call = (environment: Variables, above: readonly ProcessRow[] = [row()], named = root) =>
  findCaller(named, { environment, processesAbove: () => above, openRoot: (folder) => makeRoot({ folder }) });
const without = (name: string): Variables =>
  Object.fromEntries(Object.entries(variablesOf(run)).filter(([each]) => each !== name));

test("a person calls from a terminal of their own, whatever settings they have", () => {
  expect(call({ RUN_AGENT_ROOT: "/x", RUN_AGENT_CONFIG: "/y" })).toEqual({ kind: "person" });
});

test("a loop in the background is neither a person nor an agent", () => {
  expect(call({ RUN_AGENT_SHIM: "loop" }, below(run))).toEqual({ kind: "run-agent" });
});

test("a person calls from a shell of their own, whatever stands above it", () => {
  expect(call({ PATH: "/bin" }, [row(), row(), row()])).toEqual({ kind: "person" });
});

test("an agent calls as its run, also where another root is named", () => {
  expect(call(variablesOf(run), below(run))).toMatchObject({ kind: "run", run: { runId: run.runId } });
  const named = call(variablesOf(run), below(run), makeRoot());
  expect(named).toMatchObject({ kind: "run", run: { path: run.path }, root: { folder: root.folder } });
});

test("the ids alone are enough, and folders may be named over a link", () => {
  const { JRUN_PROJECT_ID, JRUN_TASK_ID, JRUN_ID } = variablesOf(run) as Record<string, string>;
  expect(call({ JRUN_PROJECT_ID, JRUN_TASK_ID, JRUN_ID } as Variables)).toMatchObject({ kind: "run" });
  const link = path.join(makeFolder(), "link");
  symlinkSync(root.folder, link);
  const over = { ...variablesOf(run), JRUN_TASK_FOLDER: path.join(link, path.relative(root.folder, run.task.path)) };
  expect(call(over)).toMatchObject({ kind: "run" });
});

const PATH = "/bin";
const missing = "its variables are missing";
const another = "JRUN_ID names another run";

test.each<[string, () => Variables, () => readonly ProcessRow[], string]>([
  ["no variables below an agent", () => ({ PATH }), () => below(run), missing],
  ["no variables below a check", () => ({ PATH }), () => [row(), row({ tag: "check-1" }), row()], missing],
  ["no variables below a false shim", () => ({ PATH }), () => [row({ shim: "x" }), ...below(run)], missing],
  ["no variables below an agent whose shim died", () => ({ PATH }), () => below(run).slice(0, 2), missing],
  ["no variables below a loop", () => ({ PATH }), () => [row(), row({ shim: "loop-x" })], missing],
  ["no project", () => without("JRUN_PROJECT_ID"), () => [], "JRUN_PROJECT_ID is missing or damaged"],
  ["no task", () => without("JRUN_TASK_ID"), () => [], "JRUN_TASK_ID is missing or damaged"],
  ["no run", () => without("JRUN_ID"), () => [], "JRUN_ID is missing or damaged"],
  ["a tag alone", () => ({ RUN_AGENT_TAG: "t" }), () => [], "JRUN_PROJECT_ID is missing or damaged"],
  ["a run that is no id", () => ({ ...variablesOf(run), JRUN_ID: "x" }), () => [], "JRUN_ID is missing or damaged"],
  [
    "a run that is not there",
    () => ({ ...without("JRUN_RUN_FOLDER"), JRUN_ID: "20261116-1500000000-1" }),
    () => [],
    'there is no run "20261116-1500000000-1"',
  ],
  [
    "the folder of another run",
    () => ({ ...variablesOf(run), JRUN_RUN_FOLDER: other.path }),
    () => [],
    "JRUN_RUN_FOLDER does not belong",
  ],
  [
    "the bus of another task",
    () => ({ ...variablesOf(run), JRUN_MESSAGE_BUS: "/tmp/TASK-MESSAGE-BUS.md" }),
    () => [],
    "JRUN_MESSAGE_BUS does not belong",
  ],
  ["the variables of another run", () => variablesOf(other), () => below(run), another],
  [
    "those of another run below a false shim",
    () => variablesOf(other),
    () => [row({ shim: "x" }), ...below(run)],
    another,
  ],
  ["those of another run after the shim died", () => variablesOf(other), () => below(run).slice(0, 2), another],
])("refused: %s", (_what, environment, above, why) => {
  let said = "";
  try {
    call(environment(), above());
  } catch (error) {
    said = String(error);
  }
  expect(said).toContain(why);
  expect(said).toContain("Nothing was done.");
  // Agents are not told how to set what the runner sets.
  expect(said).not.toMatch(/export |set JRUN/i);
});

test("a run whose folder is gone speaks no more", () => {
  const gone = makeRun(root, makeTask(root));
  rmSync(gone.path, { recursive: true });
  expect(() => call(variablesOf(gone))).toThrow("there is no run");
  mkdirSync(gone.path);
});

test("an agent is known by its folder, whatever it does to its own variables; a person and agents of elsewhere are none of it", () => {
  const isOne = (environment: Variables, above: readonly ProcessRow[] = [row()], folder = path.dirname(root.folder)) =>
    isAgentIn(folder, { environment, processesAbove: () => above });
  expect(isOne(variablesOf(run))).toBe(true);
  expect(isOne({}, below(run))).toBe(true);
  expect(isOne({}, below(run), root.folder)).toBe(true);
  expect(isOne({})).toBe(false);
  expect(isOne(variablesOf(run), below(run), makeFolder())).toBe(false);
  expect(isOne({ JRUN_RUN_FOLDER: "" }, [row()])).toBe(false);
});
