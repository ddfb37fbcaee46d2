// Runs under contention: slots and the line, and commands that meet a worker. Of two that meet, exactly one comes first.

import { expect, test } from "vitest";
import { realEnv } from "../../src/main/env.ts";
import { makeClaim } from "../helpers/make-run.ts";
import { patienceMs } from "../helpers/patience.ts";
import type { Script } from "../helpers/scripted-engine.ts";
import { type Person, testApp } from "../helpers/test-app.ts";
import { testWorkers } from "../helpers/test-workers.ts";

const app = await testApp({ poolSize: 8 });
const workers = testWorkers(app);

const runs = "/api/homework/runs";
const completion_criteria = [
  { kind: "document_has", words_at_least: 300 },
  { kind: "judge", rubric: "It is good" },
];
const budgets = { max_iterations: 2_000 };
const create = (by: Person) =>
  app.call("POST", runs, by.session, { body: { objective: "Race", completion_criteria, budgets } });
const post = (by: Person, id: string, command: string, body?: unknown) =>
  app.call("POST", `${runs}/${id}/${command}`, by.session, body === undefined ? {} : { body });
const show = async (by: Person, id: string) => (await app.call("GET", `${runs}/${id}`, by.session)).body.run;

type Listed = { id: string; status: string; place_in_line: number | null };
const list = async (by: Person): Promise<readonly Listed[]> =>
  (await app.call("GET", `${runs}?limit=200`, by.session)).body.items;
const line = async (by: Person) =>
  (await list(by))
    .filter(({ place_in_line: place }) => place !== null)
    .toSorted((a, b) => (a.place_in_line ?? 0) - (b.place_in_line ?? 0));

async function slots({ id }: Person): Promise<number> {
  const { rowCount } = await app.admin.query("select from homework.homework_runs where user_id = $1 and has_slot", [
    id,
  ]);
  return rowCount ?? 0;
}

const openJobs = async (runIds: readonly string[]) => {
  const { rows } = await app.admin.query<{ run_id: string }>(
    "select data->>'run_id' as run_id from homework.open_jobs where data->>'run_id' = any ($1)",
    [runIds],
  );
  return rows.map((row) => row.run_id).toSorted();
};

test("of 24 handed over at once three get a slot and the others their places in line", async () => {
  const anna = await app.signUp("anna");
  const answers = await Promise.all(Array.from({ length: 24 }, () => create(anna)));
  expect(answers.map(({ status }) => status)).toEqual(Array(24).fill(201));
  const places = answers.map(({ body }) => body.place_in_line);
  expect(places.filter((place) => place === null)).toHaveLength(3);
  const given = places.filter((place) => place !== null).toSorted((a, b) => a - b);
  expect(given).toEqual(Array.from({ length: 21 }, (_, n) => n + 1));
  expect(await slots(anna)).toBe(3);
  const inLine = await line(anna);
  expect(inLine.map(({ place_in_line: place }) => place)).toEqual(given);
  // Each is where its own answer said.
  const told = new Map(answers.map(({ body }) => [body.run_id, body.place_in_line]));
  expect(inLine.map(({ id }) => told.get(id))).toEqual(given);
  const admitted = answers.filter(({ body }) => body.place_in_line === null).map(({ body }) => body.run_id);
  expect(await openJobs(answers.map(({ body }) => body.run_id))).toEqual(admitted.toSorted());
});

test("a slot that frees goes to the first in line, and everyone moves up", async () => {
  const anna = await app.signUp("anna");
  for (let n = 0; n < 7; n++) await create(anna);
  const before = await line(anna);
  expect(before).toHaveLength(4);
  const holder = (await list(anna)).find(({ place_in_line: place }) => place === null);
  await post(anna, holder?.id ?? "", "cancel");
  const after = await line(anna);
  expect(after.map(({ id }) => id)).toEqual(before.slice(1).map(({ id }) => id));
  expect(after.map(({ place_in_line: place }) => place)).toEqual([1, 2, 3]);
  expect([await slots(anna), (await show(anna, before[0]?.id ?? "")).place_in_line]).toEqual([3, null]);
});

test("whoever leaves the line frees no slot, and whoever comes back stands at its end", async () => {
  const anna = await app.signUp("anna");
  for (let n = 0; n < 6; n++) await create(anna);
  const [first, second, third] = await line(anna);
  await post(anna, first?.id ?? "", "pause");
  expect((await line(anna)).map(({ id }) => id)).toEqual([second?.id, third?.id]);
  const resumed = await post(anna, first?.id ?? "", "resume", {});
  expect(resumed.body.place_in_line).toBe(3);
  expect(await slots(anna)).toBe(3);
});

test("twenty-four cancels at once leave nobody with a slot and nothing to do", async () => {
  const anna = await app.signUp("anna");
  const made = await Promise.all(Array.from({ length: 24 }, () => create(anna)));
  const ids = made.map(({ body }) => body.run_id as string);
  const answers = await Promise.all(ids.map((id) => post(anna, id, "cancel")));
  expect(answers.map(({ status }) => status)).toEqual(Array(24).fill(200));
  expect([await slots(anna), await openJobs(ids)]).toEqual([0, []]);
});

test("while workers work and more is handed over, there are never more than three at once", async () => {
  const anna = await app.signUp("anna");
  const script: Script = ({ run }) => (run.state.iteration < 2 ? { notes: 2 } : { ends: { claim: makeClaim() } });
  const crew = [workers.start(script, 4), workers.start(script, 4)];
  const made = Promise.all(Array.from({ length: 12 }, () => create(anna)));
  const isDone = async () => {
    const seen = await list(anna);
    return seen.length === 12 && seen.every(({ status }) => status === "completed");
  };
  const seen = new Set<number>();
  for (const end = realEnv.now() + patienceMs; !(await isDone()) && realEnv.now() < end; ) seen.add(await slots(anna));
  await made;
  expect(await isDone()).toBe(true);
  expect(Math.max(...seen)).toBe(3);
  for (const worker of crew) await worker.close();
});

const endings = ["run_completed", "run_canceled", "run_stopped", "run_failed"];

/** What its user can see of how a run ended. */
async function ending(runId: string) {
  const { rows: events } = await app.admin.query(
    "select seq::int, type from homework.homework_run_events where run_id = $1 order by seq",
    [runId],
  );
  const { rows: told } = await app.admin.query("select event from homework.user_notifications where run_id = $1", [
    runId,
  ]);
  const ends = events.map(({ type }) => type).filter((type) => endings.includes(type));
  const hasGap = events.some(({ seq }, index) => seq !== index + 1);
  return { ends, told: told.map(({ event }) => event), hasGap };
}

test("of a cancel and a completion that meet, exactly one wins, and the answer says which", async () => {
  const anna = await app.signUp("anna");
  const worker = workers.start(() => ({ notes: 5, ends: { claim: makeClaim() } }));
  const won = { canceled: 0, completed: 0 };
  let delayMs = 20; // Sought, so that the two really meet: later after a cancel that won, sooner after one that lost.
  for (let n = 0; n < 50; n++) {
    const { body } = await create(anna);
    const id: string = body.run_id;
    await realEnv.sleep(delayMs);
    const answer = await post(anna, id, "cancel");
    const winner = answer.status === 200 ? "canceled" : "completed";
    won[winner] += 1;
    delayMs = Math.max(0, delayMs + (winner === "canceled" ? 2 : -3));
    if (winner === "completed") {
      expect(answer.body.error).toMatchObject({ code: "wrong_status", message: "The run is completed already" });
      expect(answer.body.error.details).toMatchObject({ status: "completed", run: { id, status: "completed" } });
    }
    expect([(await show(anna, id)).status, await ending(id)]).toEqual([
      winner,
      { ends: [`run_${winner}`], told: winner === "completed" ? [winner] : [], hasGap: false },
    ]);
  }
  expect([won.canceled > 0, won.completed > 0, won.canceled + won.completed]).toEqual([true, true, 50]);
  expect(await slots(anna)).toBe(0);
  expect(app.failures).toEqual([]);
  await worker.close();
});

test("of a cancel and an answer at once, what is left fits what they were told", async () => {
  const anna = await app.signUp("anna");
  const question = { id: "q", kind: "question", text: "Which one?", options: [] } as const;
  const worker = workers.start(({ messages }) =>
    messages.length === 0 ? { ends: { questions: [question] } } : { ends: { claim: makeClaim() } },
  );
  for (let n = 0; n < 10; n++) {
    const id: string = (await create(anna)).body.run_id;
    await expect.poll(async () => (await show(anna, id)).status).toBe("waiting_on_user");
    const answers = [{ question_id: "q", text: "This one" }];
    const [answered, canceled] = await Promise.all([post(anna, id, "respond", { answers }), post(anna, id, "cancel")]);
    // A cancel also ends what was just answered; an answer never revives what was canceled.
    if (canceled.status === 200) expect((await show(anna, id)).status).toBe("canceled");
    else expect([answered.status, canceled.body.error.details.status]).toEqual([200, "completed"]);
    expect((await ending(id)).ends).toHaveLength(1);
  }
  await worker.close();
});

test("no message gets lost between a person and a run that goes on", async () => {
  const anna = await app.signUp("anna");
  const heard = new Set<string>();
  const worker = workers.start(({ messages }) => {
    for (const { text } of messages) heard.add(text);
    return heard.size < 40 ? { notes: 1 } : { ends: { claim: makeClaim() } };
  });
  const id: string = (await create(anna)).body.run_id;
  for (let n = 0; n < 20; n++) {
    const two = ["a", "b"].map((letter) => post(anna, id, "steer", { message: `${n}${letter}` }));
    expect((await Promise.all(two)).map(({ status }) => status)).toEqual([200, 200]);
  }
  await expect.poll(async () => (await show(anna, id)).status).toBe("completed");
  expect(heard.size).toBe(40);
  const { rows } = await app.admin.query(
    "select count(*)::int as unread from homework.homework_run_messages where run_id = $1 and consumed_iteration is null",
    [id],
  );
  expect([rows[0].unread, (await ending(id)).hasGap]).toEqual([0, false]);
  await worker.close();
});
