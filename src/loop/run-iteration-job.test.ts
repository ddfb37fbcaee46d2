import { expect, test } from "vitest";
import { makeCheck, makeClaim, makeQuestion } from "../../test/helpers/make-run.ts";
import { runWorld } from "../../test/helpers/run-world.ts";
import { scriptedEngine, scriptedProver, type WriteThing } from "../../test/helpers/scripted-engine.ts";
import type { Tx } from "../db/database.ts";
import { defaultBudget } from "../domain/run/budget/budget.ts";
import { respond, steer } from "../domain/run/commands.ts";
import { runEvent } from "../domain/run/events.ts";
import type { ProviderFault } from "../domain/run/iteration-result.ts";
import type { Run, RunId } from "../domain/run/run.ts";
import { AppError } from "../lib/app-error.ts";
import type { Engine, Prover } from "../runs/ports/engine.ts";
import { readForkPoint } from "../store/run-view/run-view-store.ts";
import { runIterationJob } from "./run-iteration-job.ts";

const world = await runWorld(100);
const user = await world.makeUser();
const nothing: WriteThing<Tx> = async () => ({ kind: "document", id: "made" });
const done: Engine<Tx> = scriptedEngine(() => ({ notes: 1, ends: { claim: makeClaim() } }), nothing);

/** One iteration of the run, whatever it is due. */
async function once(runId: RunId, engine: Engine<Tx>, prover: Prover<Tx>, now?: number) {
  const run = await world.find(runId);
  const [job] = (await world.queue.fetch("iteration", 100)).filter(
    ({ data }) => (data as { run_id: string }).run_id === runId,
  );
  if (job === undefined) throw new Error("there is a job");
  const deps = { ...world.deps(engine, { prover }), ...(now === undefined ? {} : { now: () => now }) };
  const due = { id: job.id, attempt: job.attempt, runId, iteration: run.state.iteration };
  return runIterationJob(deps, due, new AbortController().signal);
}

const faulty = (fault: ProviderFault): Prover<Tx> => ({ prove: async () => ({ kind: "held", fault }) });

test("a judge that cannot be asked holds the same iteration, and no worker dies of it", async () => {
  const { id } = await world.create(user);
  const decision = await once(
    id,
    done,
    faulty({ kind: "hold", untilMs: 5_000_000_000_000, why: "busy" }),
    4_999_999_990_000,
  );
  const run = await world.find(id);
  expect(decision).toMatchObject({ kind: "hold" });
  expect(run).toMatchObject({ deaths: 0, state: { status: "running", iteration: 1, hold: { why: "busy" } } });
  expect(run.holds).toEqual({ count: 1, sinceMs: 4_999_999_990_000, isTold: false, costMicroUsd: 0, tokens: 0 });
});

test("a judge whose key is refused stops the run, which can be resumed", async () => {
  const { id } = await world.create(user);
  await once(id, done, faulty({ kind: "auth", why: "no key" }));
  expect((await world.find(id)).state).toMatchObject({ status: "stopped", reason: "provider_auth" });
});

test("a wait for more than a quarter of an hour is told once", async () => {
  const { id } = await world.create(user);
  const hours = 3_600_000;
  const decision = await once(id, done, faulty({ kind: "hold", untilMs: Date.now() + 5 * hours, why: "used up" }));
  expect(decision).toMatchObject({ kind: "hold" });
  const { rows } = await world.admin.query(
    "select event, message from homework.user_notifications where run_id = $1 order by created_at",
    [id],
  );
  expect(rows).toEqual([{ event: "holding", message: expect.stringContaining("used up") }]);
  expect((await world.find(id)).holds?.isTold).toBe(true);
});

test("success ends the row of holds", async () => {
  const { id } = await world.create(user);
  await once(id, done, faulty({ kind: "hold", untilMs: 1, why: "busy" }), 1);
  const goesOn = scriptedEngine<Tx>(() => ({ notes: 1 }), nothing);
  await once(id, goesOn, scriptedProver());
  expect(await world.find(id)).toMatchObject({ holds: null, state: { iteration: 2 } });
});

test("checks that fall over fail the iteration with their reason, and the run goes on", async () => {
  const { id } = await world.create(user);
  const broken: Prover<Tx> = { prove: () => Promise.reject(new Error("the checks fell over")) };
  expect(await once(id, done, broken)).toMatchObject({ kind: "continue" });
  const { rows } = await world.admin.query(
    "select status, error, error_fingerprint from homework.homework_run_iterations where run_id = $1",
    [id],
  );
  expect(rows).toEqual([
    {
      status: "failed",
      error: "The checks could not be run: the checks fell over",
      error_fingerprint: "the checks could not be run: the checks fell over",
    },
  ]);
});

test("a database that is gone is nothing the run has done", async () => {
  const { id } = await world.create(user);
  const gone: Prover<Tx> = { prove: () => Promise.reject(new AppError("database_unavailable", "gone")) };
  await expect(once(id, done, gone)).rejects.toThrow("gone");
});

test("a narrative that cannot be had leaves a report of the facts", async () => {
  const { id } = await world.create(user);
  const mute: Engine<Tx> = { ...done, narrate: () => Promise.reject(new Error("no provider")) };
  expect(await once(id, mute, scriptedProver())).toMatchObject({ kind: "complete" });
  const { rows } = await world.admin.query(
    "select report->>'summary' as summary from homework.homework_runs where id = $1",
    [id],
  );
  expect(rows[0].summary).not.toBe("");
});

/** It asks, hears what the user says meanwhile, and asks again for so much. */
const listening = (say: () => Promise<unknown>, secondMicroUsd: number): Engine<Tx> => ({
  iterate: async (input, journal) => {
    const ask = (key: string, reservedMicroUsd: number) =>
      journal.ask({ key, role: "planner", model: "none", reservedMicroUsd }, async () => ({
        result: key,
        usage: "unknown",
        isKept: true,
      }));
    await ask("llm:0", 1);
    await say();
    await journal.hear("heard:1", []);
    await ask("llm:1", secondMicroUsd);
    return done.iterate(input, journal);
  },
});

test.each([
  ["that no answer came after", 1_000, 1, "stopped"],
  ["that an answer came after", 1, 0, "completed"],
])("where everything is green, a message %s decides", async (_what, secondMicroUsd, unread, status) => {
  const budget = { ...defaultBudget, maxCostMicroUsd: 100, isCostHard: true };
  const { id } = await world.create(user, { budget, guidance: { next: "confirm_done", why: "all is green" } });
  const say = async () => world.command(await world.find(id), (run) => steer(run, "and make it short"));
  await once(id, listening(say, secondMicroUsd), scriptedProver());
  expect(await world.find(id)).toMatchObject({ unreadMessages: unread, state: { status } });
});

// What the user says may change the checks.
const given = makeCheck({ id: "given", deliverableId: null });
const proposal = {
  deliverables: [{ id: "page", title: "A page" }],
  checks: [makeCheck({ id: "words", deliverableId: "page" })],
  drops: ["given"],
  why: "you asked for a page",
};
const changing = (heard: number): Engine<Tx> =>
  scriptedEngine(() => ({ notes: 1, ends: { heard, proposed: proposal } }), nothing);
const idsOf = ({ checks }: Run) => checks.map(({ id }) => id);
const wish: Partial<Run> = { checks: [given], deliverables: [] };
const ownCheck = makeCheck({ id: "given", deliverableId: "old", givenBy: "planner" });
const ownWish: Partial<Run> = { checks: [ownCheck], deliverables: [{ id: "old", title: "An old page" }] };

test("after a message, what the planner drops and adds of its own is kept, and told in an event", async () => {
  const { id } = await world.create(user, ownWish);
  await once(id, changing(1), scriptedProver());
  const run = await world.find(id);
  expect([idsOf(run), run.heardIn]).toEqual([["words"], 1]);
  const { rows } = await world.admin.query(
    "select event from homework.homework_run_events where run_id = $1 and type = 'checks_changed'",
    [id],
  );
  expect(rows).toMatchObject([
    {
      event: {
        changes: [expect.stringMatching(/^Dropped/), expect.stringMatching(/^Added/)],
        why: "you asked for a page",
      },
    },
  ]);
  expect(runEvent.parse(rows[0]?.event)).toEqual(rows[0]?.event);
});

test("an iteration keeps what the run was measured by after it, for forks", async () => {
  const { id } = await world.create(user, ownWish);
  await once(
    id,
    scriptedEngine(() => ({ notes: 1, ends: {} }), nothing),
    scriptedProver(),
  );
  await once(id, changing(1), scriptedProver());
  const promisedIn = async (iteration: number) => {
    const at = await world.as(user, (tx) => readForkPoint(tx, id, iteration));
    return [...(at?.promised?.deliverables ?? []), ...(at?.promised?.checks ?? [])].map((each) => each.id);
  };
  expect([await promisedIn(1), await promisedIn(2)]).toEqual([
    ["old", "given"],
    ["page", "words"],
  ]);
});

test("without a message nothing is dropped", async () => {
  const { id } = await world.create(user, wish);
  await once(id, changing(0), scriptedProver());
  expect(idsOf(await world.find(id))).toEqual(["given"]);
});

test.each([
  ["autopilot", "approve", ["words"]],
  ["autopilot", "reject", ["given", "words"]],
  ["approve_plan", "approve", ["words"]],
  ["approve_plan", "no, keep my check", ["given"]],
] as const)("in %s the user is asked about their own check, and %j leaves %j", async (writeMode, text, left) => {
  const { id } = await world.create(user, { ...wish, permission: { writeMode, allowedTools: null } });
  await once(id, changing(1), scriptedProver());
  const asked = await world.find(id);
  const question = asked.state.status === "waiting_on_user" ? asked.state.questions[0] : makeQuestion();
  expect([idsOf(asked).includes("given"), question.kind]).toEqual([true, "approve_checks"]);
  expect(question.text).toContain("Dropped:");
  await world.command(asked, (run) => respond(run, [{ questionId: question.id, text }]));
  const after = await world.find(id);
  expect([idsOf(after), after.awaited]).toEqual([left, null]);
});
