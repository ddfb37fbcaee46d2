// What an agent may put into its task's folder under the names that a look at the task reads.

import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { makeFolder, makeRoot, makeTask, removeFolders } from "../../../test/helpers/runner-root.ts";
import { readFacts } from "../layout/facts.ts";
import { writeTaskConfig } from "../layout/task-config.ts";
import { type TreeDisk, treeDisk } from "../layout/tree-disk.ts";
import { readFileText } from "../serve/allowed-files.ts";
import { viewTask, viewTaskToAct } from "./task-view.ts";

afterEach(removeFolders);

const names = ["TASK.md", "TASK-CONFIG.yaml", "STOP-REQUESTED", "TASK_STATE.md", "DONE", "MESSAGE-BUS.md"] as const;

/** A quarter of a megabyte of quotation marks once took minutes. */
const contents: readonly (readonly [string, string])[] = [
  ["quotation marks", '"'.repeat(250_000)],
  ["half escapes", '"\\'.repeat(125_000)],
  ["brackets", "[{".repeat(125_000)],
  ["dashes", "- ".repeat(125_000)],
  ["blanks", " ".repeat(250_000)],
  ["lines", "\n".repeat(250_000)],
  ["colons", "a: ".repeat(80_000)],
];

test.each(contents)("%s in any file of a task are looked at, and the look ends", (_, text) => {
  const root = makeRoot();
  const task = makeTask(root);
  for (const name of names) {
    writeFileSync(path.join(task.path, name), text);
    const { problems } = viewTask(root, task);
    if (name === "TASK-CONFIG.yaml" && text.trim() !== "")
      expect(problems[0]).toMatch(/TASK-CONFIG\.yaml is torn or not YAML: line 1: [A-Z]/);
    rmSync(path.join(task.path, name));
  }
  writeFileSync(path.join(task.path, "TASK-FACTS-20261117-0005031727.md"), `---\n${text}\n---\n`);
  expect(readFacts(root, task)).toHaveLength(1);
});

test.runIf(process.platform === "linux")(
  "files of many gigabytes and pipes are not read, and the rest of the task is shown",
  () => {
    const root = makeRoot();
    const task = makeTask(root);
    for (const name of ["TASK.md", "TASK-CONFIG.yaml", "TASK_STATE.md"]) {
      const file = path.join(task.path, name);
      writeFileSync(file, "# Water the plants\n");
      truncateSync(file, 8 * 1024 ** 3);
    }
    expect(viewTask(root, task)).toMatchObject({
      title: "Water the plants",
      state: "",
      problems: [expect.stringContaining("has 8589934592 bytes; at most 262144 are read.")],
    });
    rmSync(path.join(task.path, "TASK-CONFIG.yaml"));
    execFileSync("mkfifo", [path.join(task.path, "TASK-CONFIG.yaml")]);
    expect(viewTask(root, task).problems).toEqual([expect.stringContaining("it is not a regular file")]);
  },
);

test.runIf(process.platform === "linux")("a pipe or a large file as the lock of a loop is nobody's", () => {
  const root = makeRoot();
  const task = makeTask(root);
  const lock = path.join(task.path, "loop", "driver.lock");
  mkdirSync(lock, { recursive: true });
  writeFileSync(path.join(lock, "7"), "x".repeat(65 * 1024));
  expect(viewTask(root, task)).toMatchObject({ isAlive: false, problems: [] });
  execFileSync("mkfifo", [path.join(lock, "99999")]);
  expect(viewTask(root, task)).toMatchObject({ isAlive: false, problems: [] });
});

test.each(["runs", "TASK_STATE.md", "TASK-CONFIG.yaml", "HOMEWORK-RUN", "loop", "DONE"])(
  "%s that may not be read is told, and the rest of the task is shown; nobody acts on unknown runs",
  (name) => {
    const disk = treeDisk(path.join(makeFolder(), "run-agent"));
    const may = (file: string) => {
      if (path.basename(file) !== name) return;
      throw Object.assign(new Error("refused"), { code: "EACCES", syscall: "open", path: file });
    };
    const closed: TreeDisk = {
      ...disk,
      read: (file, max) => {
        may(file);
        return disk.read(file, max);
      },
      list: (file) => {
        may(file);
        return disk.list(file);
      },
      kindOf: (file) => {
        may(file);
        return disk.kindOf(file);
      },
    };
    const open = makeRoot({ folder: disk.root });
    const task = makeTask(open);
    writeFileSync(path.join(task.path, "TASK.md"), "# Water the plants");
    const root = makeRoot({ folder: disk.root, disk: closed });
    const { title, problems } = viewTask(root, task);
    expect([title, problems[0]]).toEqual(["Water the plants", expect.stringContaining("was refused")]);
    if (name === "runs" || name === "loop") expect(() => viewTaskToAct(root, task)).toThrow("was refused");
    else expect(viewTaskToAct(root, task).title).toBe("Water the plants");
  },
);

test("the keys of config.hcl are not read under another name, and a file with that one name is", () => {
  const root = makeRoot();
  const task = makeTask(root);
  const keys = path.join(root.folder, "config.hcl");
  writeFileSync(keys, 'agent "claude" { token = "sk-secret" }');
  linkSync(keys, path.join(task.path, "DONE"));
  expect(() => readFileText(root, task, "DONE", 1_000)).toThrow("a second name of another file (a hard link)");
  writeTaskConfig(root, task, { depends_on: [] }, () => []);
  expect(readFileText(root, task, "TASK-CONFIG.yaml", 1_000).text).toBe("depends_on: []\n");
});
