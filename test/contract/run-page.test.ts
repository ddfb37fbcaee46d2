// What came of a run, over HTTP: everything it wrote, with before and after; its scratchpad, its figures, and search in it.

import { beforeEach, expect, test } from "vitest";
import type { Tx } from "../../src/db/database.ts";
import type { EntityKind } from "../../src/domain/entity/kinds.ts";
import type { UserId } from "../../src/domain/identity/identity.ts";
import { renderEntry } from "../../src/domain/workspace/scratchpad.ts";
import { realEnv } from "../../src/main/env.ts";
import { type RunOutput, routes } from "../../src/protocol/api.ts";
import { createEdge } from "../../src/store/entity/edge-store.ts";
import { createEntity, findEntity, setEntityBinned, updateEntity } from "../../src/store/entity/entity-store.ts";
import { allPages } from "../helpers/all-pages.ts";
import { insertOutput, insertRun } from "../helpers/run-rows.ts";
import { testApp } from "../helpers/test-app.ts";
import { makeWorld, type World } from "../helpers/test-world.ts";

const app = await testApp();
const anna = await app.signUp("anna");
const ben = await app.signUp("ben");
const by = anna.id as UserId;
let world: World;
let runId: string;
beforeEach(async () => {
  world = await makeWorld(app.admin, { [anna.id]: "owner", [ben.id]: "owner" });
  runId = await insertRun(app.admin, anna.id, "canceled");
  await app.admin.query(
    "update homework.homework_run_iterations set started_at = now() - interval '1 hour' where run_id = $1",
    [runId],
  );
});

const get = async (path: string, who = anna) => app.call("GET", `/api/homework/runs/${runId}/${path}`, who.session);
const asRun = <T>(work: (tx: Tx) => Promise<T>) => app.db.asUser({ userId: anna.id, runId }, work);
const asBen = <T>(work: (tx: Tx) => Promise<T>) => app.db.asUser({ userId: ben.id }, work);

async function write(tx: Tx, kind: EntityKind, id: string, fields: object): Promise<void> {
  const found = await findEntity(tx, kind, world.projectId, id);
  await updateEntity(tx, kind, { id, projectId: world.projectId, version: found?.version ?? 0 }, fields);
}

async function make(title: string, fields: object = {}): Promise<string> {
  const id = realEnv.newId();
  const { projectId } = world;
  await asRun((tx) => createEntity(tx, "document", { id, projectId, by }, { title, ...fields }));
  return id;
}

const outputs = (query = "") =>
  allPages(async ({ cursor }) =>
    routes.runParts.outputs.result.parse((await get(`outputs?${query}${cursor ? `&cursor=${cursor}` : ""}`)).body),
  );
const output = async (id: string) => routes.runParts.output.result.parse((await get(`outputs/${id}`)).body);
const named = ({ op, kind, title }: RunOutput) => `${op} ${kind} ${title}`;

test("one line for each thing, the last that was written to first", async () => {
  const { projectId, things } = world;
  const made = await make("Offers");
  await asRun((tx) => write(tx, "task", things.task, { title: "Call the hall" }));
  await asRun((tx) => setEntityBinned(tx, "goal", projectId, things.goal, true));
  const link = { src_id: things.task, rel: "needs", dst_id: made, props: {} };
  await asRun((tx) => createEdge(tx, { id: realEnv.newId(), projectId, by }, link));
  await asRun((tx) => write(tx, "document", made, { content: "two" }));
  const all = await outputs();
  expect(all.map(named)).toEqual([
    "created document Offers",
    "linked edge Call the hall needs Offers",
    "deleted goal A goal",
    "updated task Call the hall",
  ]);
  expect(all[0]).toMatchObject({ writes: 2, first_iteration: 1, last_iteration: 1, is_there: true, is_gone: false });
  expect(all[2]).toMatchObject({ is_there: false, is_gone: false });
  expect(await outputs("limit=1")).toEqual(all);
});

test("the pages a run keeps for itself are known as such, and can be left out", async () => {
  await make("Scratchpad", { type_key: "document.homework.scratchpad" });
  await make("Findings", { type_key: "document.homework.branch" });
  await make("Paper");
  const all = await outputs();
  expect(all.map(({ title, is_bookkeeping }) => [title, is_bookkeeping])).toEqual([
    ["Paper", false],
    ["Findings", true],
    ["Scratchpad", true],
  ]);
  expect((await outputs("bookkeeping=false")).map(({ title }) => title)).toEqual(["Paper"]);
  expect((await outputs("bookkeeping=true")).map(({ title }) => title)).toEqual(["Findings", "Scratchpad"]);
});

test("iterations are told by when they began", async () => {
  const id = await make("Offers");
  await app.admin.query(
    `insert into homework.homework_run_iterations (run_id, iteration, attempts, status, started_at, ended_at, decision, why)
     values ($1, 2, 1, 'success', now(), now(), 'continue', 'Work remains')`,
    [runId],
  );
  await asRun((tx) => write(tx, "document", id, { content: "two" }));
  expect((await output(id)).output).toMatchObject({ first_iteration: 1, last_iteration: 2, writes: 2 });
});

test("before the first write and after the last, whatever came between and after", async () => {
  const id = world.things.document;
  await asBen((tx) => write(tx, "document", id, { content: "old" }));
  await asRun((tx) => write(tx, "document", id, { content: "draft", props: { homework: { run_id: runId } } }));
  await asRun((tx) => write(tx, "document", id, { content: "new", state_key: "review" }));
  await asBen((tx) => write(tx, "document", id, { content: "mine again" }));
  const { fields } = await output(id);
  expect(fields).toEqual([
    { name: "content", before: "old", after: "new", is_cut: false },
    { name: "state_key", before: "draft", after: "review", is_cut: false },
  ]);
});

test("a text of two megabytes is there as a whole", async () => {
  const content = "A line of the report.\n".repeat(90_000);
  const id = await make("Long", { content });
  const { fields } = await output(id);
  expect(fields.find(({ name }) => name === "content")).toEqual({
    name: "content",
    before: null,
    after: content,
    is_cut: false,
  });
});

test("of what it removed one sees what was there; brought back, the removal is gone", async () => {
  const { projectId, things } = world;
  await asRun((tx) => setEntityBinned(tx, "task", projectId, things.task, true));
  const { output: removed, fields } = await output(things.task);
  expect([removed.op, removed.is_gone]).toEqual(["deleted", false]);
  expect(fields).toContainEqual({ name: "title", before: "A task", after: null, is_cut: false });
  await asBen((tx) => setEntityBinned(tx, "task", projectId, things.task, false));
  expect((await output(things.task)).output).toMatchObject({ op: "deleted", is_there: true, is_gone: true });
});

test("what others deleted, or an undo took back, is gone and still told", async () => {
  const [binned, undone] = [await make("Binned"), await make("Undone", { content: "words" })];
  await asBen((tx) => setEntityBinned(tx, "document", world.projectId, binned, true));
  expect((await output(binned)).output).toMatchObject({ is_there: false, is_gone: true });
  const body = { skip: [`document:${binned}`] };
  const answer = await app.call("POST", `/api/homework/runs/${runId}/undo`, anna.session, { body });
  expect(answer.status).toBe(200);
  const { output: taken, fields } = await output(undone);
  expect(taken).toMatchObject({ op: "created", title: "Undone", is_there: false, is_gone: true });
  expect(fields).toContainEqual({ name: "content", before: null, after: "words", is_cut: false });
});

test("what its user may not see any more is not told", async () => {
  const id = await make("Secret by now");
  await app.admin.query("delete from homework.onto_project_members where project_id = $1 and user_id = $2", [
    world.projectId,
    anna.id,
  ]);
  expect(await outputs()).toEqual([]);
  expect((await get(`outputs/${id}`)).status).toBe(404);
});

test("what the run did not touch is no output of it", async () => {
  expect((await get(`outputs/${world.things.task}`)).status).toBe(404);
});

const entry = (iteration: number) =>
  renderEntry({
    iteration,
    summary: `Looked at hall ${iteration}`,
    actions: [],
    entities: [],
    planUpdates: [],
    remainingWork: [],
    nextActionHint: null,
    decisionHint: null,
  });

test("the scratchpad comes entry by entry over all of its pages, the latest first", async () => {
  const page = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, n) => entry(from + n)).join("\n\n");
  const type_key = "document.homework.scratchpad";
  const mark = (iteration: number) => ({ homework: { run_id: runId, iteration } });
  await make("Scratchpad", { type_key, content: `A person's line\n\n${page(1, 4)}`, props: mark(1) });
  const second = await make("Scratchpad 2", { type_key, content: page(5, 5), props: mark(5) });
  await make("Scratchpad 3", { type_key, content: page(6, 8), props: mark(6) });
  const list = (query: string) =>
    allPages(async ({ cursor }) =>
      routes.runParts.scratchpad.result.parse(
        (await get(`scratchpad?${query}${cursor ? `&cursor=${cursor}` : ""}`)).body,
      ),
    );
  const all = await list("");
  expect(all.map(({ iteration }) => iteration)).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
  expect(all[3]).toEqual({
    document_id: second,
    project_id: world.projectId,
    iteration: 5,
    heading: "Iteration 5",
    text: "Looked at hall 5",
  });
  expect(await list("limit=3")).toEqual(all);
  expect((await get("scratchpad?limit=3")).body.items).toHaveLength(3);
});

test("figures of every iteration, oldest first; the one under way has what was spent since it began", async () => {
  await app.admin.query(
    `update homework.homework_run_iterations set metrics = '{"before": {"running_ms": 0}, "running_ms": 900, "cost_micro_usd": 40,
       "tokens": 7, "tool_calls": 2}' where run_id = $1`,
    [runId],
  );
  await app.admin.query(
    `insert into homework.homework_run_iterations (run_id, iteration, attempts, status, started_at, metrics)
     values ($1, 2, 1, 'running', now(), '{"before": {"running_ms": 900, "cost_micro_usd": 40, "tokens": 7, "tool_calls": 2}}')`,
    [runId],
  );
  await app.admin.query(
    "update homework.homework_runs set cost_micro_usd = 65, tokens = 10, tool_calls = 3 where id = $1",
    [runId],
  );
  const { items } = routes.runParts.series.result.parse((await get("series")).body);
  expect(
    items.map(({ iteration, cost_micro_usd, tokens, tool_calls }) => [iteration, cost_micro_usd, tokens, tool_calls]),
  ).toEqual([
    [1, 40, 7, 2],
    [2, 25, 3, 1],
  ]);
});

const search = async (q: string, run: string, who = anna): Promise<readonly string[]> => {
  const { body } = await app.call("GET", `/api/search?q=${q}&run_id=${run}`, who.session);
  return routes.projects.search.result.parse(body).items.map(({ title }) => title);
};

test("search in a run finds what it wrote and nothing else", async () => {
  await make("Zebra crossing");
  await asRun((tx) => write(tx, "task", world.things.task, { title: "Zebra task" }));
  await asBen((tx) =>
    createEntity(tx, "document", { id: realEnv.newId(), projectId: world.projectId, by }, { title: "Zebra of Ben" }),
  );
  expect((await search("zebra", runId)).toSorted()).toEqual(["Zebra crossing", "Zebra task"]);
  const other = await insertRun(app.admin, anna.id, "canceled");
  await insertOutput(app.admin, anna.id, other, "Zebra elsewhere");
  expect(await search("zebra", other)).toEqual(["Zebra elsewhere"]);
});

test("search in a run of somebody else finds nothing, although one may see what it wrote", async () => {
  await make("Zebra crossing");
  expect(await search("zebra", runId, ben)).toEqual([]);
  expect(await search("zebra", realEnv.newId())).toEqual([]);
});

test("a thousand outputs come in pages", async () => {
  await asRun(async (tx) => {
    for (let n = 0; n < 1_000; n++)
      await createEntity(tx, "task", { id: realEnv.newId(), projectId: world.projectId, by }, { title: `Task ${n}` });
  });
  expect(await outputs("limit=200")).toHaveLength(1_000);
});
