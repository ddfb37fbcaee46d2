// Tasks of an outcome over HTTP: added, edited against a version, split, ordered, tried again, and what has to be refused.

import { expect, test } from "vitest";
import { routes } from "../../src/protocol/api.ts";
import { insertOutcome } from "../helpers/outcome-rows.ts";
import { type Answer, testApp } from "../helpers/test-app.ts";

const app = await testApp({ maxConcurrentRuns: 1_000 });
const anna = await app.signUp("anna");

const call = (method: string, path: string, body?: unknown) =>
  app.call(method, `/api/outcomes/${path}`, anna.session, body === undefined ? {} : { body });
const said = ({ status, body }: Answer) => [status, body?.error?.code ?? body.status];
/** Not started, so that nothing runs unless a test wants it. */
const dormant = async (tasks: readonly object[] = [{ title: "A" }, { title: "B" }]) => {
  const { body } = await app.call("POST", "/api/outcomes", anna.session, { body: { name: "Lamps", tasks } });
  const items = (await call("GET", `${body.id}/tasks`)).body.items;
  return { id: body.id as string, tasks: items as readonly { id: string; number: number }[] };
};
const urlOf = ({ id, tasks }: Awaited<ReturnType<typeof dormant>>, number: number) =>
  `${id}/tasks/${tasks[number - 1]?.id}`;

test("a task is added with its number, gates, checks and what it waits for", async () => {
  const made = await dormant();
  const answer = await call("POST", `${made.id}/tasks`, {
    title: "C",
    depends_on: [made.tasks[0]?.id],
    gates: [{ kind: "human_approval", label: "Say yes" }],
    completion_criteria: [{ kind: "entity_exists", entity: "task", title_like: "lamp" }],
    max_attempts: 5,
  });
  expect(answer.status).toBe(201);
  expect(routes.outcomeTasks.get.result.parse(answer.body)).toEqual(answer.body);
  expect(answer.body).toMatchObject({
    number: 3,
    status: "pending",
    priority: 100,
    max_attempts: 5,
    depends_on: [made.tasks[0]?.id],
    gates: [{ id: "gate_1", kind: "human_approval", label: "Say yes", given: null }],
    completion_criteria: [{ kind: "entity_exists", target: { entity: "task", title_like: "lamp" } }],
    made_by: "user",
    runs: [],
  });
});

test("a check that can never be met is refused with where it stands", async () => {
  const { id } = await dormant();
  const criteria = [{ kind: "entity_state", entity_id: "00000000-0000-7000-8000-000000000000", state: "done" }];
  const answer = await call("POST", `${id}/tasks`, { title: "C", completion_criteria: criteria });
  expect([said(answer), answer.body.error.message]).toEqual([
    [422, "unprocessable"],
    expect.stringContaining("body.completion_criteria.0"),
  ]);
});

test("of two edits of the same version the second is refused and shows the first", async () => {
  const made = await dormant();
  const [one, two] = await Promise.all([
    call("PATCH", urlOf(made, 1), { version: 1, title: "First" }),
    call("PATCH", urlOf(made, 1), { version: 1, title: "Second" }),
  ]);
  const [won, lost] = one.status === 200 ? [one, two] : [two, one];
  expect([won.status, lost.status]).toEqual([200, 409]);
  expect(lost.body.error).toMatchObject({
    code: "stale_version",
    details: { current: { title: won.body.title, version: 2 } },
  });
});

test("a task that a worker has can be edited, and its run is told", async () => {
  const made = await dormant([{ title: "A" }]);
  await call("POST", `${made.id}/start`);
  const edited = await call("PATCH", urlOf(made, 1), { version: 1, title: "A with brass" });
  expect([edited.status, edited.body.title, edited.body.status]).toEqual([200, "A with brass", "running"]);
  const { injections } = (await call("GET", `${made.id}/homr/context`)).body;
  expect(injections).toEqual([
    expect.objectContaining({ target_tasks: [made.tasks[0]?.id], content: expect.stringContaining("A with brass") }),
  ]);
});

test("a dependency is added and removed, and a cycle is refused", async () => {
  const made = await dormant();
  const [first, second] = made.tasks.map(({ id }) => id);
  const added = await call("POST", `${urlOf(made, 2)}/dependencies`, { depends_on: first });
  expect([added.status, added.body.depends_on]).toEqual([200, [first]]);
  expect(said(await call("POST", `${urlOf(made, 1)}/dependencies`, { depends_on: second }))).toEqual([
    409,
    "wrong_status",
  ]);
  const removed = await call("DELETE", `${urlOf(made, 2)}/dependencies/${first}`);
  expect([removed.status, removed.body.depends_on]).toEqual([200, []]);
});

test("a task is split into parts, and what waited for it waits for their verification", async () => {
  const made = await dormant([{ title: "Whole" }, { title: "Later", depends_on: [1] }]);
  const split = await call("POST", `${urlOf(made, 1)}/split`, { parts: [{ title: "One" }, { title: "Two" }] });
  expect(split.status).toBe(200);
  const titles = split.body.tasks.map((task: { title: string; number: number }) => `#${task.number} ${task.title}`);
  expect(titles).toEqual(["#3 One", "#4 Two", "#5 Verify: Whole"]);
  expect((await call("GET", urlOf(made, 1))).body.status).toBe("obsolete");
  expect((await call("GET", urlOf(made, 2))).body.depends_on).toEqual([split.body.tasks[2].id]);
});

test("a gate is given once, and the task begins", async () => {
  const gates = [{ kind: "document_required", label: "The price list" }];
  const made = await dormant([{ title: "A", gates }]);
  await call("POST", `${made.id}/start`);
  expect((await call("GET", urlOf(made, 1))).body.status).not.toBe("running");
  const given = await call("POST", `${urlOf(made, 1)}/gates/gate_1`, { given: "Ten each" });
  expect([given.status, given.body.status, given.body.gates[0].given]).toEqual([200, "running", "Ten each"]);
  expect(said(await call("POST", `${urlOf(made, 1)}/gates/gate_1`, { given: "Again" }))).toEqual([409, "wrong_status"]);
});

test("a failed task is tried again; one that has not failed is not", async () => {
  const ids = await insertOutcome(app.admin, anna.id, { status: "dormant" });
  const again = await call("POST", `${ids.outcomeId}/tasks/${ids.tasks[2]}/retry`);
  expect([again.status, again.body.status]).toEqual([200, "pending"]);
  expect(said(await call("POST", `${ids.outcomeId}/tasks/${ids.tasks[2]}/retry`))).toEqual([409, "wrong_status"]);
});

test("a task that is not needed lets what waits for it go on", async () => {
  const made = await dormant([{ title: "A" }, { title: "B", depends_on: [1] }]);
  await call("POST", `${made.id}/start`);
  const gone = await call("POST", `${urlOf(made, 1)}/obsolete`, { why: "Bought instead" });
  expect([gone.status, gone.body.status, gone.body.why]).toEqual([200, "obsolete", "Bought instead"]);
  expect((await call("GET", urlOf(made, 2))).body.status).toBe("running");
});

test("a task of another outcome is not there", async () => {
  const [one, other] = [await dormant(), await dormant()];
  const foreign = `${one.id}/tasks/${other.tasks[0]?.id}`;
  expect((await call("GET", foreign)).status).toBe(404);
  expect((await call("PATCH", foreign, { version: 1, title: "x" })).status).toBe(404);
  expect((await call("POST", `${urlOf(one, 1)}/dependencies`, { depends_on: other.tasks[0]?.id })).status).toBe(404);
  expect((await call("POST", `${one.id}/tasks`, { title: "x", depends_on: [other.tasks[0]?.id] })).status).toBe(404);
});

test("tasks come in pages, in the order of their numbers", async () => {
  const { id } = await dormant(Array.from({ length: 5 }, (_, at) => ({ title: `T${at + 1}` })));
  const seen: number[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const { body }: Answer = await call("GET", `${id}/tasks?limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`);
    seen.push(...body.items.map(({ number }: { number: number }) => number));
    cursor = body.next_cursor;
  }
  expect(seen).toEqual([1, 2, 3, 4, 5]);
});
