import { expect, test } from "vitest";
import { makeProof } from "../../../test/helpers/make-run.ts";
import { newRun, runWorld } from "../../../test/helpers/run-world.ts";
import type { UserId } from "../../domain/identity/identity.ts";
import { cancel, pause, steer } from "../../domain/run/commands.ts";
import type { Run } from "../../domain/run/run.ts";
import { realEnv } from "../../main/env.ts";
import { commandRun } from "../../runs/command-run.ts";
import { createRun } from "../../runs/create-run.ts";
import type { RunChange } from "../../runs/ports/run-store.ts";
import { findViolations } from "./run-invariants.ts";
import { enqueueDueRuns } from "./run-store.ts";

const world = await runWorld();
const user = await world.makeUser();

const changeOf = (before: Run, over: Partial<RunChange>): RunChange => ({
  before,
  run: before,
  lease: "keep",
  leasedBy: null,
  events: [],
  attempt: null,
  ended: null,
  interrupted: null,
  proofs: [],
  messages: [],
  unheard: null,
  report: null,
  notification: null,
  isListed: false,
  ...over,
});

test("a run comes back as it was written", async () => {
  const run = newRun(user, {
    forkedFrom: { runId: (await world.create(user)).id, iteration: 4 },
    guidance: { next: "replan", why: "so" },
  });
  await world.store.transaction((tx) => createRun(tx, run, { maxConcurrentRuns: 1_000 }));
  expect(await world.find(run.id)).toEqual({ ...run, state: { ...run.state, hasSlot: true } });
});

test("whoever had to wait for a run sees its proofs as they are after the wait", async () => {
  const { id } = await world.create(user);
  const locked = Promise.withResolvers<void>();
  const proof = makeProof({ seen: "after the wait" });
  const writing = world.store.transaction(async (tx) => {
    const found = await tx.lockRun(id);
    locked.resolve();
    await realEnv.sleep(150);
    if (!found) throw new Error("no run");
    await tx.save(changeOf(found.run, { run: { ...found.run, lastProofs: [proof] }, proofs: [proof] }));
  });
  await locked.promise;
  const waited = await world.store.transaction((tx) => tx.lockRun(id));
  await writing;
  expect(waited?.run.lastProofs).toEqual([proof]);
});

test("however many are handed over at once, three have a slot and the others a place in line", async () => {
  const other = await world.makeUser();
  const runs = await Promise.all(Array.from({ length: 24 }, () => world.create(other)));
  const found = await Promise.all(runs.map(({ id }) => world.find(id)));
  expect(found.filter(({ state }) => state.status === "queued" && state.hasSlot)).toHaveLength(3);
  await Promise.all(runs.map((run) => world.command(run, cancel)));
  expect(await findViolations(world.db, 3)).toEqual([]);
});

test("commands that meet are done one after the other", async () => {
  const run = await world.create(await world.makeUser());
  const answers = await Promise.all([cancel, pause, cancel].map((command) => world.command(run, command)));
  const done = answers.filter(({ outcome }) => outcome === "done").length;
  expect([1, 2]).toContain(done);
  expect((await world.find(run.id)).state.status).toBe("canceled");
  expect(await findViolations(world.db, 3)).toEqual([]);
});

test("someone else's run is not there to command", async () => {
  const run = await world.create(user);
  const stranger = await world.makeUser();
  const answer = await world.store.transaction((tx) =>
    commandRun(tx, stranger, run.id, cancel, { maxConcurrentRuns: 3 }),
  );
  expect(answer).toEqual({ outcome: "missing" });
});

test("runs that are due get their jobs back after a restore", async () => {
  await world.queue.clear();
  expect((await findViolations(world.db, null)).map(({ invariant }) => invariant)).toContain("one_open_job");
  await enqueueDueRuns(world.db, world.queue);
  expect(await findViolations(world.db, null)).toEqual([]);
});

test("a message is written and counted", async () => {
  const run = await world.create(await world.makeUser());
  await world.command(run, (now) => steer(now, "shorter"));
  expect((await world.find(run.id)).unreadMessages).toBe(1);
});

const ended = await world.create(await world.makeUser());
await world.command(ended, cancel);
const open = await world.create(await world.makeUser());

test.each<[string, Run, string]>([
  ["comes back from an end", ended, "status = 'queued', ended_at = null"],
  ["does more after its end", ended, "iteration = 2"],
  ["is completed without proofs", open, "status = 'completed', has_slot = false, ended_at = now()"],
  [
    "is completed with a red proof",
    open,
    `status = 'completed', has_slot = false, ended_at = now(), proofs = '[{"isGreen": false}]'`,
  ],
  ["waits without a question", open, "status = 'waiting_on_user', has_slot = false"],
  ["stops without a reason", open, "status = 'stopped', has_slot = false, ended_at = now(), detail = 'x'"],
  ["lowers its fence", open, "fence = -1"],
  ["forgets an event", open, "last_seq = last_seq - 1, fence = fence"],
  ["gives time back", open, "running_ms = -1"],
  ["is leased in line", open, "leased_at = now(), lease_seen_at = now()"],
  ["is about nothing", open, "objective = '  '"],
  ["has no known status", open, "status = 'x'"],
  ["is written in no known mode", open, "write_mode = 'x'"],
  ["names a project it does not have", open, "scope = 'project'"],
  ["has a title of nothing", open, "title = ''"],
  ["has foreign texts that are no list", open, "foreign_texts = '{}'"],
  ["has models that go by no role", open, "models = '[]'"],
  ["follows itself", open, "follows_run_id = id"],
])("the database itself refuses a run that %s", async (_what, run, change) => {
  const update = world.admin.query(`update homework.homework_runs set ${change} where id = '${run.id}'`);
  await expect(update).rejects.toMatchObject({ code: expect.stringMatching(/^(HW0(09|1[012])|23514)$/) });
});

test("a call is settled once", async () => {
  const id = realEnv.newId();
  await world.admin.query(
    `insert into homework.llm_usage_logs (call_id, user_id, role, model, state, reserved_micro_usd, cost_micro_usd, settled_at, priced_by)
     values ('${id}', '${user}', 'planner', 'm', 'settled', 10, 5, now(), 'table')`,
  );
  const again = world.admin.query(`update homework.llm_usage_logs set cost_micro_usd = 6 where call_id = '${id}'`);
  await expect(again).rejects.toMatchObject({ code: "HW013" });
});

test.each<[string, string]>([
  ["an entry of no known kind", "update journal_entries set kind = 'x'"],
  ["an entry that is done and has no end", "update journal_entries set ended_at = null"],
  ["an entry of ours that is uncertain", "update journal_entries set state = 'uncertain'"],
  ["an entry without a key", "update journal_entries set key = ''"],
  ["an entry of a run and of a conversation", "update journal_entries set chat_session_id = run_id, message_seq = 2"],
  ["an iteration of no known status", "update homework_run_iterations set status = 'x'"],
  ["an iteration that is at work and has ended", "update homework_run_iterations set ended_at = now()"],
  ["an iteration that is decided before its end", "update homework_run_iterations set decision = 'x'"],
  ["an iteration without an attempt", "update homework_run_iterations set attempts = 0"],
  ["a check that nobody gave", "update homework_run_checks set given_by = 'x'"],
])("the database itself refuses %s", async (_what, change) => {
  const { id } = await withJournal(await world.makeUser());
  const update = world.admin.query(`set search_path = homework; ${change} where run_id = '${id}'`);
  await expect(update).rejects.toMatchObject({ code: "23514" });
});

async function withJournal(owner: UserId): Promise<Run> {
  const run = await world.create(owner);
  await world.admin.query(`set search_path = homework;
    insert into homework_run_iterations (run_id, iteration, attempts, status, started_at) values ('${run.id}', 1, 1, 'running', now());
    insert into journal_entries (run_id, iteration, key, kind, state, fence, ended_at) values ('${run.id}', 1, 'a', 'tool', 'done', 1, now())`);
  return run;
}

test.each(["homework_system", "homework_auth"])(
  "a user that %s deletes takes everything of its runs along",
  async (role) => {
    const owner = await world.makeUser();
    const { id } = await withJournal(owner);
    await world.admin.query(
      `begin; set local search_path = homework; set local role ${role}; delete from auth_users where id = '${owner}'; commit`,
    );
    const ofRun = ["homework_run_events", "homework_run_iterations", "homework_run_checks", "journal_entries"].map(
      (name) => `select run_id from homework.${name} where run_id = '${id}'`,
    );
    const left = [...ofRun, `select user_id from homework.user_feed_events where user_id = '${owner}'`].join(
      " union all ",
    );
    expect((await world.admin.query(left)).rows).toEqual([]);
  },
);
