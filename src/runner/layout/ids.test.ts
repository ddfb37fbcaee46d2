import path from "node:path";
import { fc, test as property } from "@fast-check/vitest";
import { afterEach, expect, test } from "vitest";
import { filesBelow } from "../../../test/helpers/files-below.ts";
import { hostileStrings } from "../../../test/helpers/hostile-strings.ts";
import { makeFolder, makeRoot, removeFolders } from "../../../test/helpers/runner-root.ts";
import { isProjectId, isRunId, isTaskId, makeRunIds } from "./ids.ts";
import { createRun, createTask, findRun, findTask, openProject, openTask } from "./runner-root.ts";
import { makeSlug } from "./slug.ts";
import { parseStamp, toNanoStamp, toNanos, toStamp, toTickStamp } from "./timestamps.ts";

afterEach(removeFolders);

const noon = 1_794_830_400_000_000_000n;
const nanos = fc.bigInt({ min: 0n, max: 253_402_300_000_000_000_000n });

test("a run id has four digits behind the second, and the pid", () => {
  expect(makeRunIds(() => noon + 123_456_789n, 4711)()).toBe("20261116-1200001234-4711");
});

property.prop([fc.array(nanos, { minLength: 2, maxLength: 50 })])(
  "ids of one process sort in the order they were made, whatever the clock does",
  (times) => {
    const clock = [...times];
    const next = makeRunIds(() => clock.shift() ?? 0n, 12);
    const made = times.map(() => next());
    expect(made).toEqual([...new Set(made)].sort());
  },
);

property.prop([nanos])("a stamp can be read back to its precision", (time) => {
  expect(parseStamp(toNanoStamp(time))).toBe(time);
  expect(parseStamp(toTickStamp(time))).toBe(time - (time % 100_000n));
  expect(parseStamp(toStamp(time))).toBe(time - (time % 1_000_000_000n));
});

test("a day that does not exist is not a time", () => {
  expect(parseStamp("20260231-000000")).toBeNull();
  expect([isTaskId("task-20261332-000000-abc"), isRunId("20261116-2500000000-1")]).toEqual([false, false]);
});

test("the next run sorts behind the last one although the clock was set back by an hour", () => {
  let now = noon;
  const root = makeRoot({ nanos: () => now });
  const task = createTask(root, "garden", "Water");
  const before = createRun(root, task);
  now -= toNanos(3_600_000);
  // Another process, which knows the clock only.
  const after = createRun(makeRoot({ folder: root.folder, nanos: () => now }), task);
  expect(after.runId > before.runId).toBe(true);
});

test("a run id of a wrong clock far ahead does not hold the others", () => {
  const root = makeRoot({ nanos: () => noon });
  const task = createTask(root, "garden", "Water");
  root.disk.makeFolder(path.join(task.path, "runs", "99991231-2359599999-1"));
  expect(createRun(root, task).runId).toMatch(/^20261116-12000000/);
});

test("runs of the same instant, by two processes with one pid, have folders of their own", () => {
  const root = makeRoot({ nanos: () => noon });
  const other = makeRoot({ folder: root.folder, nanos: () => noon });
  const task = createTask(root, "garden", "Water");
  const ids = Array.from({ length: 50 }, () =>
    [createRun(root, task), createRun(other, task)].map(({ runId }) => runId),
  );
  expect(new Set(ids.flat()).size).toBe(100);
});

test("tasks of one second and one title get a mark", () => {
  const root = makeRoot({ nanos: () => noon });
  const ids = Array.from({ length: 20 }, () => createTask(root, "garden", "Wäter the plants!").taskId);
  expect(ids[0]).toBe("task-20261116-120000-water-the-plants");
  expect(ids[1]).toMatch(/^task-20261116-120000-water-the-plants-[0-9a-f]{4}$/);
  expect(new Set(ids).size).toBe(20);
});

test("a title without letters gets a name by chance", () => {
  expect(createTask(makeRoot(), "garden", "名前").taskId).toMatch(/-[0-9a-f]{6}$/);
});

property.prop([fc.string({ unit: "binary", maxLength: 300 })])(
  "whatever the title, its slug makes a task id",
  (title) => {
    const slug = makeSlug(title);
    if (slug !== null) expect(isTaskId(`task-20261116-120000-${slug}`)).toBe(true);
  },
);

property.prop([fc.string({ unit: "binary", maxLength: 300 })])("an id is one name of a file", (text) => {
  for (const is of [isProjectId, isTaskId, isRunId])
    if (is(text))
      expect([path.basename(text), text.startsWith("."), text.startsWith("-")]).toEqual([text, false, false]);
});

test("5,000 hostile strings as ids and titles leave nothing outside of the root", () => {
  const above = makeFolder();
  const root = makeRoot({ folder: path.join(above, "root") });
  const task = createTask(root, "garden", "Water");
  const strings = hostileStrings(5_000);
  expect(new Set(strings).size).toBeGreaterThan(4_000);
  let refused = 0;
  const attempt = (work: () => unknown) => {
    try {
      work();
    } catch (error) {
      expect(error).toMatchObject({ code: "invalid_request" });
      refused += 1;
    }
  };
  for (const text of strings) {
    attempt(() => openProject(root, text));
    attempt(() => openTask(root, "garden", text));
    attempt(() => findTask(root, text, task.taskId));
    attempt(() => findRun(root, task, text));
  }
  for (const text of strings.slice(0, 100)) createTask(root, "titles", text);
  expect(refused).toBeGreaterThan(14_000);
  expect([...filesBelow(above)].filter((file) => !file.startsWith(`${root.folder}${path.sep}`))).toEqual([]);
  expect(root.disk.list(root.folder).filter((name) => !isProjectId(name))).toEqual([]);
  expect(root.disk.list(path.join(root.folder, "titles")).filter((name) => !isTaskId(name))).toEqual([]);
});
