import { describe, expect, test } from "vitest";
import {
  type Answers,
  answering,
  errorAnswer,
  makeProject,
  makeTask,
  runInTest,
} from "../../../test/helpers/cli-host.ts";

const project = makeProject();
const task = makeTask();
const tasks = `/api/projects/${project.id}/tasks`;
const one = `${tasks}/${task.id}`;
const pageOf = (items: readonly unknown[], next_cursor: string | null = null) => ({ items, next_cursor });

const usual: Answers = {
  "GET /api/projects": () => pageOf([project]),
  [`GET ${tasks}`]: () => pageOf([task]),
  [`GET ${one}`]: () => task,
};

const run = (args: readonly string[], answers: Answers = {}, terminal = {}) => {
  const { services, requests } = answering({ ...usual, ...answers });
  return runInTest(["task", ...args], { services, terminal }).then((ran) => ({ ...ran, requests }));
};

describe("task list", () => {
  test("shows a table of data on stdout and no words", async () => {
    const urgent = makeTask({ id: "0198c2b7-1000", title: "Order tiles", priority: 1, due_at: "2030-04-01T23:59:59Z" });
    const ran = await run(["list", "-p", "Kitchen"], { [`GET ${tasks}`]: () => pageOf([urgent, task]) });
    expect(ran).toMatchObject({ code: 0, words: "" });
    expect(ran.out).toBe(
      [
        "ID          STATE  PRIO  DUE         CHANGED         TITLE",
        "0198c2b7-1  todo   1     2030-04-01  10 minutes ago  Order tiles",
        "0198c2b7-0  todo                     10 minutes ago  Measure the walls",
        "",
      ].join("\n"),
    );
  });

  test("says on stderr that there is nothing", async () => {
    const ran = await run(["list"], { [`GET ${tasks}`]: () => pageOf([]) });
    expect(ran).toMatchObject({ code: 0, out: "", words: "No such tasks.\n" });
  });

  test("with --json prints one value and no words", async () => {
    const ran = await run(["list", "--json"], { [`GET ${tasks}`]: () => pageOf([]) });
    expect(ran).toMatchObject({ code: 0, words: "" });
    expect(JSON.parse(ran.out)).toEqual({ items: [], has_more: false });
  });

  const endless = ({ query }: { query: Readonly<Record<string, string>> }) => {
    const start = Number(query.cursor ?? 0);
    const count = Math.min(Number(query.limit), 450 - start);
    const items = Array.from({ length: count }, (_, at) => makeTask({ id: `id-${start + at}` }));
    return pageOf(items, start + count < 450 ? String(start + count) : null);
  };

  test("with --limit asks for as many and says that there are more", async () => {
    const ran = await run(["list", "--limit", "210"], { [`GET ${tasks}`]: endless });
    expect(ran.out.split("\n")).toHaveLength(212);
    expect(ran.words).toContain("There are more");
    expect(ran.requests.filter((each) => each.includes("/tasks")).map((each) => each.split("&")[0])).toEqual([
      `GET ${tasks}?limit=200`,
      `GET ${tasks}?limit=10`,
    ]);
  });

  test("with --all pages to the end", async () => {
    const ran = await run(["list", "--all", "--json"], { [`GET ${tasks}`]: endless });
    expect(JSON.parse(ran.out)).toMatchObject({ has_more: false, items: { length: 450 } });
  });

  test("without -p is refused where there are several projects", async () => {
    const several = [project, makeProject({ id: "0198ffff-1", name: "Garden" })];
    const ran = await run(["list"], { "GET /api/projects": () => pageOf(several) });
    expect(ran).toMatchObject({
      code: 2,
      words: "Say which project with -p; you have Kitchen, Garden\nHelp: homework task list --help\n",
    });
  });
});

describe("task create", () => {
  const created: unknown[] = [];
  const answers: Answers = {
    [`POST ${tasks}`]: ({ body, idempotencyKey }) => {
      created.push({ body, idempotencyKey });
      return task;
    },
  };

  test("sends what was given, once, and prints the id alone on stdout", async () => {
    const ran = await run(["create", "Order tiles", "--priority", "1", "--due", "2030-04-01"], answers);
    expect(ran).toMatchObject({ code: 0, out: `${task.id}\n`, words: "Created task “Measure the walls”.\n" });
    expect(created).toEqual([
      { body: { title: "Order tiles", priority: 1, due_at: "2030-04-01T23:59:59Z" }, idempotencyKey: "id-1" },
    ]);
  });

  test("reads its text from stdin", async () => {
    const terminal = { readInput: async () => "# Tiles\n" };
    await run(["create", "Order tiles", "--file", "-"], answers, terminal);
    expect(created.at(-1)).toMatchObject({ body: { content: "# Tiles\n" } });
  });

  test("refuses two texts", async () => {
    const ran = await run(["create", "x", "--file", "-", "--content", "y"], answers);
    expect(ran).toMatchObject({ code: 2, words: expect.stringContaining("not by both") });
  });

  test("with --quiet says nothing but the id", async () => {
    expect(await run(["create", "x", "-q"], answers)).toMatchObject({ out: `${task.id}\n`, words: "" });
  });
});

describe("task update and done", () => {
  const changes: unknown[] = [];
  const answers: Answers = {
    [`PATCH ${one}`]: ({ body }) => {
      changes.push(body);
      return task;
    },
  };

  test("change the version that was found", async () => {
    expect((await run(["done", "0198c2b7"], answers)).code).toBe(0);
    expect(changes.at(-1)).toEqual({ state_key: "done", version: 7 });
  });

  test("change only the version that was asked for", async () => {
    await run(["update", task.id, "--title", "New", "--if-version", "5"], answers);
    expect(changes.at(-1)).toEqual({ title: "New", version: 5 });
  });

  test("end with 5 if someone was faster", async () => {
    const stale = () => errorAnswer(409, "stale_version", "It has changed since");
    expect(await run(["done", task.id], { [`PATCH ${one}`]: stale })).toMatchObject({
      code: 5,
      words: "It has changed since\n",
    });
  });

  test("need something to change", async () => {
    expect(await run(["update", task.id], answers)).toMatchObject({ code: 2 });
  });

  test("end with 3 if there is no such task in any project", async () => {
    const ran = await run(["done", "0198c2b7-0000-7000-8000-0000000000ff"], answers);
    expect(ran).toMatchObject({ code: 3, words: expect.stringContaining("There is no task") });
  });
});

test("task show prints the fields and the text", async () => {
  const whole = makeTask({ content: "## How\n\nWith a laser.\n", priority: 2 });
  const ran = await run(["show", task.id], { [`GET ${one}`]: () => whole });
  expect(ran.out).toMatch(/^Title +Measure the walls\n.*Priority +2\n.*\n\n## How\n\nWith a laser\.\n$/s);
});

test("without a name it is the task that changed last, in whichever project that is", async () => {
  const garden = makeProject({ id: "0198c2a4-0000-7000-8000-000000000009", name: "Garden" });
  const older = makeTask({ id: "0198c2b7-9999", updated_at: "2030-03-01T00:00:00Z" });
  const ran = await run(["show"], {
    "GET /api/projects": () => pageOf([garden, project]),
    [`GET /api/projects/${garden.id}/tasks`]: () => pageOf([older]),
  });
  expect(ran).toMatchObject({ code: 0, out: expect.stringContaining("Measure the walls") });
  const nothing = await run(["done"], { [`GET ${tasks}`]: () => pageOf([]) });
  expect(nothing).toMatchObject({ code: 3, words: expect.stringContaining("There is no task yet") });
});

test("task show says that a task is in the bin", async () => {
  const check = async (deleted_at: string | null) =>
    (await run(["show", task.id], { [`GET ${one}`]: () => makeTask({ deleted_at }) })).out.includes("In the bin");
  expect(await check("2030-03-16T00:00:00Z")).toBe(true);
  expect(await check(null)).toBe(false);
});

test("task restore looks in the bin", async () => {
  const ran = await run(["restore", "0198c2b7"], { [`POST ${one}/restore`]: () => task });
  expect(ran).toMatchObject({ code: 0, words: '"Measure the walls" is back.\n' });
  expect(ran.requests).toContain(`GET ${tasks}?limit=200&deleted=true&include_working_notes=true`);
});
