import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fc, test as property } from "@fast-check/vitest";
import { afterEach, expect, test } from "vitest";
import { makeRoot, makeRun, makeTask, removeFolders } from "../../../test/helpers/runner-root.ts";
import { readAttachment, writeAttachment } from "./attachments.ts";
import { readFacts, writeFact } from "./facts.ts";
import type { AgentTaskId } from "./ids.ts";
import { findRun, findTask, inTask, listProjects, listRuns, listTasks, openProject, openTask } from "./runner-root.ts";
import { readTaskConfig, writeTaskConfig } from "./task-config.ts";
import {
  clearStop,
  isDone,
  keepTaskText,
  readStop,
  readTaskState,
  readTaskText,
  removeDone,
  requestStop,
  writeDone,
  writeTaskState,
} from "./task-files.ts";

afterEach(removeFolders);

function begin() {
  const root = makeRoot();
  const task = makeTask(root);
  return { root, task, at: (name: string) => path.join(task.path, name) };
}

test("TASK.md is written once and stays", () => {
  const { root, task } = begin();
  expect(() => readTaskText(root, task)).toThrow("is missing");
  expect(keepTaskText(root, task, "Water the roses.\n")).toBe("Water the roses.\n");
  expect(keepTaskText(root, task, "Cut the roses.")).toBe("Water the roses.\n");
});

test("an empty TASK.md is an error", () => {
  const { root, task, at } = begin();
  expect(() => keepTaskText(root, task, " \n")).toThrow("is empty");
  writeFileSync(at("TASK.md"), "\n\t\n");
  expect(() => readTaskText(root, task)).toThrow("is empty");
});

property.prop([fc.string({ unit: "grapheme", minLength: 1 })], { numRuns: 30 })(
  "the state comes back as written",
  (text) => {
    fc.pre(!text.startsWith("\ufeff"));
    const { root, task } = begin();
    writeTaskState(root, task, text);
    expect(readTaskState(root, task)).toEqual({ kind: "text", text });
  },
);

test("DONE is a file", () => {
  const { root, task } = begin();
  expect(isDone(root, task)).toBe(false);
  writeDone(root, task);
  expect(isDone(root, task)).toBe(true);
  expect([removeDone(root, task), isDone(root, task), removeDone(root, task)]).toEqual([true, false, false]);
});

test("DONE as a folder or a link is an error in clear words", () => {
  const { root, task, at } = begin();
  mkdirSync(at("DONE"));
  expect(() => isDone(root, task)).toThrow("DONE is a folder; DONE must be a file");
  const other = begin();
  symlinkSync("/etc/hostname", other.at("DONE"));
  expect(() => isDone(other.root, other.task)).toThrow("DONE is a link or device");
});

test("a stop stays requested until it is cleared, and the first request is kept", () => {
  const { root, task } = begin();
  const run = makeRun(root, task);
  expect([readStop(root, task), readStop(root, run)]).toEqual([null, null]);
  const first = requestStop(root, task, "ann", "wrong: branch");
  requestStop(root, task, "bob", "too late");
  expect(readStop(makeRoot({ folder: root.folder }), task)).toEqual(first);
  expect(readStop(root, run)).toBeNull();
  requestStop(root, run, "ann", "this one only");
  expect(readStop(root, run)).toMatchObject({ by: "ann", reason: "this one only" });
  expect([clearStop(root, task), readStop(root, task), clearStop(root, task)]).toEqual([true, null, false]);
});

test.each([
  ["an empty file", (file: string) => writeFileSync(file, ""), "is torn"],
  ["a torn file", (file: string) => writeFileSync(file, "at: 2026\nby: ["), "is torn"],
  ["a file without a reason", (file: string) => writeFileSync(file, "at: 2026\n"), "does not say why"],
  ["a folder", (file: string) => mkdirSync(file), "is a folder"],
  ["a link", (file: string) => symlinkSync("/nowhere", file), "link"],
])("%s under the name of a stop still asks for it", (_what, plant, why) => {
  const { root, task, at } = begin();
  plant(at("STOP-REQUESTED"));
  expect(readStop(root, task)).toMatchObject({ by: "unknown", reason: expect.stringContaining(why) });
});

test("facts come back with their front matter, in order", () => {
  const { root, task } = begin();
  const project = openProject(root, "garden");
  writeFact(root, task, { title: "Roses: thirsty", run_id: "r1", text: "# Two litres\n---\na day\n" });
  writeFact(root, task, { title: "Tulips", run_id: "r1", text: "" });
  const name = writeFact(root, project, { title: "Well is dry", run_id: "r2", text: "since May" });
  expect(readFacts(root, task)).toMatchObject([
    { title: "Roses: thirsty", scope: "task", run_id: "r1", text: "# Two litres\n---\na day\n", problem: null },
    { title: "Tulips", text: "", problem: null },
  ]);
  expect(name).toMatch(/^FACT-\d{8}-\d{10}-well-is-dry\.md$/);
  expect(readFacts(root, project)).toMatchObject([{ file: name, scope: "project", problem: null }]);
});

test("facts of others are shown with what is wrong with them", () => {
  const { root, task, at } = begin();
  writeFileSync(at("TASK-FACTS-1.md"), "no front matter");
  writeFileSync(at("TASK-FACTS-2.md"), "---\ntitle: half\n---\nrest");
  writeFileSync(at("TASK-FACTS-3.md"), Buffer.from([255, 254]));
  writeFileSync(at("TASK-FACTS-4.md"), "---\ntitle: [torn\n---\n");
  mkdirSync(at("TASK-FACTS-5.md"));
  expect(
    readFacts(root, task).map(({ title, text, problem }) => [title, text, problem?.split(" ").slice(1, 4).join(" ")]),
  ).toEqual([
    ["", "no front matter", "has no front"],
    ["half", "rest", "does not say:"],
    ["", "", "is not valid"],
    ["", "---\ntitle: [torn\n---\n", "has no front"],
    ["", "", "cannot be used:"],
  ]);
});

test("an attachment is found by its name only", () => {
  const { root, task } = begin();
  const name = writeAttachment(root, task, "../../etc/passwd", "all of it");
  expect(name).toMatch(/^ATTACH-\d{8}-\d{10}-etc-passwd\.txt$/);
  expect(readAttachment(root, task, name)).toEqual({ kind: "text", text: "all of it" });
  expect(readAttachment(root, task, "../TASK.md")).toMatchObject({ kind: "unreadable" });
  expect(readAttachment(root, task, `${name}/../TASK.md`)).toMatchObject({ kind: "unreadable" });
  expect(() => writeAttachment(root, task, "x", "y", "../z")).toThrow("not a usual extension");
});

const id = (n: number) => `task-20261116-12000${n}-abc` as AgentTaskId;

test("dependencies are kept beside keys of others", () => {
  const { root, task, at } = begin();
  expect(readTaskConfig(root, task)).toEqual({ depends_on: [] });
  writeFileSync(at("TASK-CONFIG.yaml"), "color: red\n");
  writeTaskConfig(root, task, { depends_on: [id(1), id(2), id(1)] }, () => []);
  expect(readTaskConfig(root, task)).toEqual({ depends_on: [id(1), id(2)] });
  expect(readFileSync(at("TASK-CONFIG.yaml"), "utf8")).toContain("color: red");
});

test.each([
  ["itself", (own: AgentTaskId) => [own], {}],
  ["a circle", () => [id(1)], { [id(1)]: [id(2)], [id(2)]: ["own"] }],
])("runner-011: a dependency on %s is refused", (_what, depends, others) => {
  const { root, task } = begin();
  const readOther = (taskId: AgentTaskId) =>
    ((others as Record<string, string[]>)[taskId] ?? []).map((each) =>
      each === "own" ? task.taskId : (each as AgentTaskId),
    );
  const attempt = () => writeTaskConfig(root, task, { depends_on: depends(task.taskId) }, readOther);
  expect(attempt).toThrow("The tasks would wait for each other");
});

test("a circle among others does not hang the check", () => {
  const { root, task } = begin();
  writeTaskConfig(root, task, { depends_on: [id(1)] }, (taskId) => (taskId === id(1) ? [id(2)] : [id(1)]));
  expect(readTaskConfig(root, task).depends_on).toEqual([id(1)]);
});

test.each(["../task-20261116-120000-abc", "task-20261116-120000-abc/..", "", "x"])(
  "runner-011: a dependency named %j is refused, when written and when read",
  (name) => {
    const { root, task, at } = begin();
    expect(() => writeTaskConfig(root, task, { depends_on: [name] }, () => [])).toThrow("is not a task id");
    writeFileSync(at("TASK-CONFIG.yaml"), `depends_on: [${JSON.stringify(name)}]\n`);
    expect(() => readTaskConfig(root, task)).toThrow("is not a task id");
  },
);

test("a torn config is an error: the task must not start too early", () => {
  const { root, task, at } = begin();
  writeFileSync(at("TASK-CONFIG.yaml"), "depends_on: [task-2026");
  expect(() => readTaskConfig(root, task)).toThrow("is torn");
  writeFileSync(at("TASK-CONFIG.yaml"), "depends_on: all\n");
  expect(() => readTaskConfig(root, task)).toThrow("must be a list");
});

test("projects, tasks and runs are listed, and strangers passed over", () => {
  const { root, task, at } = begin();
  const run = makeRun(root, task);
  mkdirSync(path.join(root.folder, ".hidden"));
  mkdirSync(path.join(root.folder, "_audit"));
  writeFileSync(path.join(root.folder, "config"), "");
  mkdirSync(at("runs/latest"));
  symlinkSync(run.path, at("runs/20261116-0000000000-1"));
  symlinkSync(task.path, path.join(root.folder, "garden", id(1)));
  const project = openProject(root, "garden");
  expect(listProjects(root)).toEqual([project]);
  expect(listTasks(root, project)).toEqual([task]);
  expect(listRuns(root, task).map(({ runId }) => runId)).toEqual([run.runId]);
  expect(findTask(root, "garden", task.taskId)).toEqual(task);
  expect([
    findTask(root, "garden", id(2)),
    findTask(root, "garden", id(1)),
    findRun(root, task, "20260101-0000000000-1"),
  ]).toEqual([null, null, null]);
  expect(findRun(root, task, run.runId)?.path).toBe(run.path);
});

test("a file or a link in the place of a folder is an error", () => {
  const { root } = begin();
  writeFileSync(path.join(root.folder, "shed"), "");
  symlinkSync("/tmp", path.join(root.folder, "linked"));
  expect(() => openProject(root, "shed")).toThrow("is there and is not a folder");
  expect(() => openTask(root, "linked", id(1))).toThrow("is there and is not a folder");
  expect(inTask({ ...makeTask(root), path: "/x" }, "bus")).toBe("/x/TASK-MESSAGE-BUS.md");
});
