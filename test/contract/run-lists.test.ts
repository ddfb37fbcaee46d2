// Lists of runs over HTTP: by status, by group, by a part of the objective; how many there are, and what they came to.

import { expect, test } from "vitest";
import { noStreaks } from "../../src/domain/run/gate/streaks.ts";
import { routes } from "../../src/protocol/api.ts";
import { makeQuestion } from "../helpers/make-run.ts";
import { insertRun, type RowStatus } from "../helpers/run-rows.ts";
import { type Person, testApp } from "../helpers/test-app.ts";

const app = await testApp({ maxConcurrentRuns: 1_000 });
let people = 0;
const someone = () => {
  people += 1;
  return app.signUp(`person${people}`);
};

const runs = "/api/homework/runs";
const get = async (by: Person, query: Readonly<Record<string, string>>) =>
  app.call("GET", `${runs}?${new URLSearchParams(query)}`, by.session);

async function insert(by: Person, status: RowStatus, objective?: string): Promise<string> {
  const id = await insertRun(app.admin, by.id, status);
  if (objective === undefined) return id;
  await app.admin.query("update homework.homework_runs set objective = $2 where id = $1", [id, objective]);
  return id;
}

/** In the order they come in, page by page. */
async function listed(by: Person, query: Readonly<Record<string, string>>, limit = 2): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { body } = await get(by, { ...query, limit: String(limit), ...(cursor ? { cursor } : {}) });
    ids.push(...body.items.map(({ id }: { id: string }) => id));
    cursor = body.next_cursor;
  }
  return ids;
}

test("a row has what a list shows: progress, the first question and the checks", async () => {
  const anna = await someone();
  const id = await insert(anna, "waiting_on_user");
  await app.admin.query("update homework.homework_run_iterations set summary = $2 where run_id = $1", [
    id,
    `Measured ${"the walls ".repeat(100)}`,
  ]);
  const check = `insert into homework.homework_run_checks (run_id, check_id, position, target, given_by, proof) values ($1, $2, 0, '{"kind": "judge", "rubric": "good"}', 'user', $3)`;
  const proof = { checkId: "a", isGreen: true, seen: "", artifacts: [], iteration: 1 };
  await app.admin.query(check, [id, "a", JSON.stringify(proof)]);
  await app.admin.query(check, [id, "b", JSON.stringify({ ...proof, checkId: "b", isGreen: false })]);
  await app.admin.query(check, [id, "c", null]);
  const [row] = (await get(anna, {})).body.items;
  expect(routes.runs.list.result.shape.items.element.parse(row)).toEqual(row);
  expect(row).toMatchObject({ id, question: makeQuestion().text, checks: { green: 1, of: 3 } });
  expect(row.progress).toMatch(/^Measured the walls/);
  expect(row.progress).toHaveLength(300);
  const { body } = await app.call("GET", `${runs}/${id}`, anna.session);
  expect(body.run).toMatchObject({ question: makeQuestion().text, checks: { green: 1, of: 3 } });
  expect(body.run.progress).toHaveLength(1_009);
});

test("a list comes in pages, newest first, and has the beginnings of objectives", async () => {
  const cleo = await someone();
  const made: string[] = [];
  for (let n = 0; n < 5; n++) made.unshift(await insert(cleo, "queued", `${n} ${"x".repeat(1_000)}`));
  expect(await listed(cleo, {})).toEqual(made);
  const { items } = routes.runs.list.result.parse((await get(cleo, {})).body);
  for (const { objective } of items) expect(objective).toHaveLength(300);
});

test("a group is several statuses at once, newest first and page by page", async () => {
  const anna = await someone();
  const statuses = ["queued", "stopped", "canceled", "waiting_on_user", "queued", "stopped", "queued"] as const;
  const made: { readonly id: string; readonly status: RowStatus }[] = [];
  for (const status of statuses) made.unshift({ id: await insert(anna, status), status });
  const of = (...wanted: readonly RowStatus[]) =>
    made.filter(({ status }) => wanted.includes(status)).map(({ id }) => id);
  expect(await listed(anna, {})).toEqual(made.map(({ id }) => id));
  expect(await listed(anna, { group: "needs_you" })).toEqual(of("waiting_on_user"));
  expect(await listed(anna, { group: "active" })).toEqual(of("queued"));
  expect(await listed(anna, { group: "finished" })).toEqual(of("stopped", "canceled"));
  expect(await listed(anna, { status: "stopped" })).toEqual(of("stopped"));
  expect(await listed(anna, { status: "stopped", group: "finished" })).toEqual(of("stopped"));
  expect(await listed(anna, { status: "stopped", group: "active" })).toEqual([]);
  expect((await get(anna, { group: "all" })).status).toBe(400);
});

test("a part of the objective finds a run, whatever characters it is made of", async () => {
  const anna = await someone();
  const objectives = [
    "Plan the KITCHEN renovation",
    "Raise prices by 100% until May",
    "snake_case in every file",
    'She said "no", didn\'t she?',
    "Ein Überblick über Straßen",
    "週次報告を書く",
    "back\\slash and 👩‍🚀 in space",
    "x",
  ];
  const byObjective = new Map<string, string>();
  for (const objective of objectives) byObjective.set(objective, await insert(anna, "queued", objective));
  const found = async (q: string) => {
    const ids = await listed(anna, { q });
    return ids.map((id) => objectives.findIndex((objective) => byObjective.get(objective) === id));
  };
  const cases: readonly (readonly [string, readonly number[]])[] = [
    ["kitchen", [0]],
    ["  Kitchen ", [0]],
    ["0%", [1]],
    ["%", [1]],
    ["_", [2]],
    ["e_c", [2]],
    ['"no", didn\'t', [3]],
    ["'", [3]],
    ["überBLICK", [4]],
    ["ß", [4]],
    ["報告", [5]],
    ["\\", [6]],
    ["👩‍🚀", [6]],
    ["x", [7]],
    ["kitchen garden", []],
    ["nehctik", []],
    [".*", []],
  ];
  for (const [q, expected] of cases) expect([q, await found(q)]).toEqual([q, expected]);
});

test("what is searched for is paged, filtered and never anyone else's", async () => {
  const [anna, ben] = [await someone(), await someone()];
  const mine: string[] = [];
  for (const status of ["queued", "stopped", "queued", "stopped", "queued"] as const) {
    mine.unshift(await insert(anna, status, `Secret plan ${status}`));
    await insert(ben, status, `Secret plan ${status}`);
  }
  expect(await listed(anna, { q: "secret" })).toEqual(mine);
  expect(await listed(anna, { q: "secret", group: "finished" })).toEqual([mine[1], mine[3]]);
  expect(await listed(anna, { q: "plan", status: "queued" })).toEqual([mine[0], mine[2], mine[4]]);
  expect(await listed(await someone(), { q: "secret" })).toEqual([]);
  await app.admin.query("delete from homework.homework_runs where id = $1", [mine[0]]);
  expect(await listed(anna, { q: "secret" })).toEqual(mine.slice(1));
});

test("what is far behind the newest is found all the same", async () => {
  const anna = await someone();
  const rare = await insert(anna, "queued", "Find the quokka");
  await app.admin.query(
    `insert into homework.homework_runs (id, user_id, objective, engine, scope, context_type, write_mode, budgets, status, iteration, has_slot, streaks)
     select gen_random_uuid(), $1, 'Write number ' || n, 'planner', 'global', 'global', 'autopilot', '{}', 'queued', 1, false, $2
       from generate_series(1, 2500) n`,
    [anna.id, JSON.stringify(noStreaks)],
  );
  expect(await listed(anna, { q: "quokka" })).toEqual([rare]);
  expect(await listed(anna, { q: "qu" })).toEqual([rare]);
});

test.each([
  ["NUL", "a\u0000b"],
  ["too much", "a".repeat(401)],
])("%s is refused", async (_, q) => {
  expect((await get(await someone(), { q })).status).toBe(400);
  expect(app.failures).toEqual([]);
});

test("runs are counted by status, only one's own", async () => {
  const [anna, ben] = [await someone(), await someone()];
  for (const status of ["queued", "queued", "stopped", "waiting_on_user"] as const) await insert(anna, status);
  await insert(ben, "queued");
  const { body } = await app.call("GET", "/api/homework/counts", anna.session);
  expect(body).toMatchObject({
    counts: { queued: 2, running: 0, waiting_on_user: 1, completed: 0, stopped: 1, failed: 0, canceled: 0 },
    open_questions: 0,
    unread_notifications: 0,
  });
});

test("the next run is guessed from the last fifty that came to an end", async () => {
  const anna = await someone();
  const estimate = async () => (await app.call("GET", "/api/homework/estimate", anna.session)).body;
  const nothing = { runs: 0, cost_micro_usd: null, iterations: null, running_ms: null, tokens: null };
  await insert(anna, "queued");
  await insert(anna, "canceled");
  expect(await estimate()).toEqual(nothing);
  for (let n = 1; n <= 60; n++) {
    const id = await insert(anna, "stopped");
    await app.admin.query(
      `update homework.homework_runs set cost_micro_usd = $2::int, tokens = 10 * $2::int, running_ms = 100 * $2::int, created_at = '2026-01-01'::timestamptz + $2::int * interval '1 hour' where id = $1`,
      [id, n],
    );
  }
  expect(await estimate()).toEqual({
    runs: 50,
    cost_micro_usd: { p50: 35, p90: 55 },
    iterations: { p50: 2, p90: 2 },
    running_ms: { p50: 3_500, p90: 5_500 },
    tokens: { p50: 350, p90: 550 },
  });
});
