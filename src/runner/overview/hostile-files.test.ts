// What an agent may put into its task's folder under the names that a look at the task reads.

import { execFileSync } from "node:child_process";
import { linkSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { makeRoot, makeTask, removeFolders } from "../../../test/helpers/runner-root.ts";
import { readFacts } from "../layout/facts.ts";
import { writeTaskConfig } from "../layout/task-config.ts";
import { readFileText } from "../serve/allowed-files.ts";
import { viewTask } from "./task-view.ts";

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
