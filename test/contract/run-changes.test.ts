// Staged writes over HTTP: looking at them, deciding one by one or all at once by an answer, and how that sends the run on.

import { expect, test } from "vitest";
import { routes } from "../../src/protocol/api.ts";
import { insertRun, insertStagedWrite, type RowStatus } from "../helpers/run-rows.ts";
import { type Answer, type Person, testApp } from "../helpers/test-app.ts";

const app = await testApp({ maxConcurrentRuns: 1_000 });
const anna = await app.signUp("anna");
const ben = await app.signUp("ben");

const runs = "/api/homework/runs";
const post = (url: string, body: unknown, by: Person = anna) => app.call("POST", url, by.session, { body });
const get = (url: string, by: Person = anna) => app.call("GET", url, by.session);
const said = ({ status, body }: Answer) => [status, body?.error?.code ?? body.status ?? body.run.status];

const aboutWrites = { id: "approve_writes", kind: "approve_writes", text: "May it?", options: ["approve", "reject"] };
const other = { id: "q2", kind: "question", text: "Red or blue?", options: [] };

/** A run with this many writes that wait; it asks about them. */
async function waiting(
  writes: number,
  questions: readonly object[] = [aboutWrites],
  status: RowStatus = "waiting_on_user",
) {
  const runId = await insertRun(app.admin, anna.id, status);
  if (status === "waiting_on_user")
    await app.admin.query("update homework.homework_runs set questions = $2 where id = $1", [
      runId,
      JSON.stringify(questions),
    ]);
  const ids: string[] = [];
  for (let n = 1; n <= writes; n++) ids.push(await insertStagedWrite(app.admin, runId, n));
  const url = `${runs}/${runId}`;
  const decide = (decisions: readonly [number, "approve" | "reject", string?][]) =>
    post(`${url}/changes`, {
      decisions: decisions.map(([n, decision, note = ""]) => ({ change_id: ids[n - 1], decision, note })),
    });
  const answer = (...answers: readonly [string, string][]) =>
    post(`${url}/respond`, { answers: answers.map(([question_id, text]) => ({ question_id, text })) });
  const states = async () => (await get(`${url}/changes`)).body.items.map(({ state }: { state: string }) => state);
  const heard = async () => {
    const { rows } = await app.admin.query(
      "select question_id, text from homework.homework_run_messages where run_id = $1 order by question_id",
      [runId],
    );
    return rows.map(({ question_id, text }) => [question_id, text]);
  };
  return { runId, url, ids, decide, answer, states, heard };
}

test("changes are shown with what they would make, page by page and by state", async () => {
  const { url, ids, decide } = await waiting(3);
  const { body } = await get(`${url}/changes?limit=2`);
  expect(routes.changes.list.result.parse(body)).toEqual(body);
  expect(body.items[0]).toMatchObject({
    id: ids[0],
    position: 1,
    tool: "create_task",
    summary: "create task “Buy tiles”",
    why: "For the floor",
    state: "pending",
    changes: [
      {
        op: "created",
        kind: "task",
        fields: [
          { name: "title", before: null, after: "Buy tiles", is_cut: false },
          { name: "content", before: null, after: "red", is_cut: false },
        ],
      },
    ],
  });
  const rest = await get(`${url}/changes?limit=2&cursor=${body.next_cursor}`);
  expect([body.items.length, rest.body.items.length, rest.body.next_cursor]).toEqual([2, 1, null]);
  await decide([[2, "approve"]]);
  expect((await get(`${url}/changes?state=approved`)).body.items.map(({ id }: { id: string }) => id)).toEqual([ids[1]]);
});

test("a long value is cut in the list and whole by itself", async () => {
  const { url, ids, runId } = await waiting(0);
  expect(ids).toEqual([]);
  const changeId = await insertStagedWrite(app.admin, runId, 1, "x".repeat(100_000));
  const [listed] = (await get(`${url}/changes`)).body.items;
  const fieldOf = (write: { changes: { fields: { after: string; is_cut: boolean }[] }[] }) =>
    write.changes[0]?.fields[1];
  expect([fieldOf(listed)?.after.length, fieldOf(listed)?.is_cut]).toEqual([2_000, true]);
  const whole = (await get(`${url}/changes/${changeId}`)).body;
  expect([fieldOf(whole)?.after.length, fieldOf(whole)?.is_cut]).toEqual([100_000, false]);
});

test("the last decision answers the run's question, and sends it on", async () => {
  const { decide, states, heard } = await waiting(3);
  const first = await decide([
    [1, "approve"],
    [3, "approve"],
  ]);
  expect([first.body.run.status, first.body.pending]).toEqual(["waiting_on_user", 1]);
  const last = await decide([[2, "reject", "Too dear"]]);
  expect([last.status, last.body.run.status, last.body.run.iteration, last.body.pending]).toEqual([
    200,
    "queued",
    3,
    0,
  ]);
  expect(routes.changes.decide.result.parse(last.body)).toEqual(last.body);
  expect(await states()).toEqual(["approved", "rejected", "approved"]);
  expect(await heard()).toEqual([["approve_writes", "approved 2, rejected 1"]]);
});

test.for([
  ["approve", "approved", ""],
  ["Yes.", "approved", ""],
  ["no", "rejected", ""],
  ["yes, but in blue", "rejected", "yes, but in blue"],
] as const)('the answer "%s" makes all of them %s', async ([text, state, note]) => {
  const { answer, states, heard, url } = await waiting(2);
  expect(said(await answer(["approve_writes", text]))).toEqual([200, "queued"]);
  expect(await states()).toEqual([state, state]);
  expect((await get(`${url}/changes`)).body.items.map((write: { note: string }) => write.note)).toEqual([note, note]);
  expect(await heard()).toEqual([["approve_writes", text]]);
});

test("an answer leaves alone what was decided one by one before", async () => {
  const { decide, answer, states } = await waiting(3);
  await decide([[2, "approve"]]);
  await answer(["approve_writes", "reject"]);
  expect(await states()).toEqual(["rejected", "approved", "rejected"]);
});

test("a run that asks something else as well goes on when that is answered, too", async () => {
  const { decide, answer, heard } = await waiting(1, [aboutWrites, other]);
  const decided = await decide([[1, "approve"]]);
  expect([decided.body.run.status, decided.body.pending]).toEqual(["waiting_on_user", 0]);
  const contradicted = await answer(["approve_writes", "reject"], ["q2", "red"]);
  expect([...said(contradicted), contradicted.body.error.message]).toEqual([
    409,
    "wrong_status",
    "Every change is decided (approved 1, rejected 0): leave that question out",
  ]);
  expect(said(await answer(["q2", "red"]))).toEqual([200, "queued"]);
  expect(await heard()).toEqual([
    ["approve_writes", "approved 1, rejected 0"],
    ["q2", "red"],
  ]);
});

test("an answer that is not taken decides nothing", async () => {
  const { answer, states } = await waiting(1, [aboutWrites, other]);
  expect(said(await answer(["approve_writes", "approve"]))).toEqual([409, "wrong_status"]);
  expect(await states()).toEqual(["pending"]);
});

test("a decision can be said twice, and not be turned round", async () => {
  const { decide, states } = await waiting(2);
  await decide([[1, "approve"]]);
  expect((await decide([[1, "approve"]])).status).toBe(200);
  const turned = await decide([
    [2, "approve"],
    [1, "reject"],
  ]);
  expect(said(turned)).toEqual([409, "wrong_status"]);
  expect(await states()).toEqual(["approved", "pending"]);
});

test("of ten decisions at once the run hears one answer", async () => {
  const { decide, heard, states } = await waiting(1);
  const all = await Promise.all(
    Array.from({ length: 10 }, (_, n) => decide([[1, n % 2 === 0 ? "approve" : "reject"]])),
  );
  expect([...new Set(all.map(({ status }) => status))].toSorted()).toEqual([200, 409]);
  expect(await heard()).toHaveLength(1);
  expect([["approved 1, rejected 0"], ["approved 0, rejected 1"]]).toContainEqual(
    (await heard()).map(([, text]) => text),
  );
  expect(await states()).toHaveLength(1);
});

test("nothing is decided for a run that has ended", async () => {
  const { decide, states } = await waiting(1, [], "canceled");
  expect(said(await decide([[1, "approve"]]))).toEqual([409, "wrong_status"]);
  expect(await states()).toEqual(["pending"]);
});

test("a change of another run, and somebody else's, are not there", async () => {
  const mine = await waiting(1);
  const elsewhere = await waiting(1);
  const decisions = [{ change_id: elsewhere.ids[0], decision: "approve" }];
  expect(said(await post(`${mine.url}/changes`, { decisions }))).toEqual([404, "not_found"]);
  expect(said(await post(`${elsewhere.url}/changes`, { decisions }, ben))).toEqual([404, "not_found"]);
  expect((await get(`${elsewhere.url}/changes`, ben)).status).toBe(404);
  expect((await get(`${mine.url}/changes/${elsewhere.ids[0]}`)).status).toBe(404);
  expect(await elsewhere.states()).toEqual(["pending"]);
});

test.for([
  ["none", []],
  ["one twice", ["a", "a"]],
  ["more than can wait", Array.from({ length: 101 }, (_, n) => `${n}`)],
] as const)("decisions about %s are refused", async ([, which]) => {
  const { url, ids } = await waiting(1);
  const idOf = (name: string) => (name === "a" ? ids[0] : `00000000-0000-4000-8000-${name.padStart(12, "0")}`);
  const decisions = which.map((name) => ({ change_id: idOf(name), decision: "approve" }));
  expect((await post(`${url}/changes`, { decisions })).status).toBe(400);
});
