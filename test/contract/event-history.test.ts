// Histories and notifications of older versions, after an upgrade: every event is one that the schema knows, with nothing
// more and nothing less, and there is one notification about a run.

import { expect, test } from "vitest";
import { runEvent } from "../../src/domain/run/events.ts";
import { report } from "../../src/domain/run/report-shape.ts";
import { noStreaks } from "../../src/domain/run/streaks.ts";
import { databaseBefore } from "../helpers/older-database.ts";

const { admin, upgrade } = await databaseBefore("events_and_notifications");

const userId = "0198c2a4-0000-7000-8000-0000000000aa";
const runId = "0198c2a4-0000-7000-8000-000000000001";
const budgets = {
  maxIterations: 5,
  maxRunningMs: 60_000,
  maxCostMicroUsd: 500_000,
  maxTokens: null,
  maxToolCalls: null,
};

/** As 0.4.0 and its forerunners wrote them: some without what was added later. */
const said: readonly Readonly<Record<string, unknown>>[] = [
  { type: "run_created", objective: "Plan" },
  { type: "run_admitted", iteration: 1, runningMs: 0, unread: 0 },
  { type: "run_started", objective: "Plan" },
  { type: "iteration_started", iteration: 1, attempt: 1 },
  { type: "step_recorded", iteration: 1, step: "a", summary: "did it", isFailed: true, isBookkeeping: true },
  { type: "iteration_cost_update", iteration: 1, model: "m", costMicroUsd: 3, totalCostMicroUsd: 3, totalTokens: 9 },
  { type: "checks_proven", iteration: 1, green: 0, of: 1, runningMs: 900, unread: 0 },
  {
    type: "run_holding",
    iteration: 1,
    untilMs: 1_900_000_000_000,
    why: "429",
    isTold: true,
    runningMs: 900,
    unread: 0,
  },
  { type: "iteration_released", iteration: 1, runningMs: 900, unread: 0 },
  {
    type: "iteration_completed",
    iteration: 1,
    status: "success",
    summary: "",
    decision: "ask",
    why: "asks",
    isUnheard: true,
  },
  {
    type: "run_waiting_on_user",
    iteration: 1,
    why: "asks",
    questions: [{ id: "q", kind: "question", text: "?", options: [] }],
  },
  { type: "run_answered", iteration: 2, answers: [{ questionId: "q", text: "yes" }] },
  { type: "run_stopped", iteration: 2, reason: "paused", why: "You paused it" },
  { type: "run_resumed", iteration: 2 },
  { type: "checks_changed", iteration: 2, changes: ["Added"], why: "so", isAwaiting: true, runningMs: 1, unread: 0 },
  { type: "run_stopped", iteration: 2, reason: "cost", why: "used up" },
  { type: "run_undone", iteration: 2, removed: 0, restored: 1, left: 0 },
];

const olderReport = {
  ...{ title: "Homework stopped: Plan", objective: "Plan", status: "stopped", summary: "What came of it" },
  what_changed: { created: [{ type: "task", id: "t", title: "Call" }], updated: [], linked: [] },
  artifacts: { plans: [], documents: [{ id: "d", title: "Page" }] },
  checks: [{ check: "plan_complete", is_green: true, seen: "all done" }],
  metrics: { iterations: 1, duration_ms: 900, total_tokens: 9, total_cost_micro_usd: 3, tool_calls: 1 },
  stopping_reason: { type: "budget", detail: "used up" },
};

await admin.query(`insert into homework.auth_users (id, name, email) values ($1, 'Ada', 'ada@example.com')`, [userId]);
await admin.query(
  `insert into homework.homework_runs (id, user_id, objective, engine, scope, context_type, write_mode, budgets, status, stop_reason,
     detail, iteration, has_slot, streaks, ended_at, last_seq, moves, report)
   values ($1, $2, 'Plan', 'planner', 'global', 'global', 'autopilot', $3, 'stopped', 'cost', 'used up', 2, false, $4, now(), $5, 4,
     $6)`,
  [runId, userId, JSON.stringify(budgets), JSON.stringify(noStreaks), said.length, JSON.stringify(olderReport)],
);
await admin.query(
  `insert into homework.homework_run_iterations (run_id, iteration, attempts, status, started_at, ended_at, decision, metrics)
   values ($1, 1, 1, 'success', now(), now(), 'ask', '{"running_ms": 900, "cost_micro_usd": 3, "tokens": 9, "tool_calls": 1}')`,
  [runId],
);
await admin.query(
  "insert into homework.journal_entries (run_id, iteration, key, kind, state, fence, ended_at) values ($1, 1, 'a', 'platform', 'done', 1, now())",
  [runId],
);
for (const [at, event] of said.entries())
  await admin.query(
    "insert into homework.homework_run_events (run_id, seq, iteration, type, event) values ($1, $2, $3, $4, $5)",
    [runId, at + 1, event.iteration ?? null, event.type, JSON.stringify(event)],
  );
for (const [at, [event, message]] of Object.entries([
  ["waiting_on_user", "Plan: ?"],
  ["stopped", "Plan: You paused it"],
  ["stopped", "Plan: used up"],
  ["canceled", "Plan: you canceled it"],
]))
  await admin.query(
    `insert into homework.user_notifications (id, user_id, run_id, move, event, title, message, action_url, created_at)
     values (gen_random_uuid(), $1, $2, $3::int, $4, 'T', $5, '/homework/runs/1', now() + $3::int * interval '1 second')`,
    [userId, runId, at, event, message],
  );
await upgrade();

const { rows: events } = await admin.query<{ event: { readonly type: string } }>(
  "select event from homework.homework_run_events order by seq",
);

test("every event of an older version is whole", () => {
  expect(events).toHaveLength(said.length);
  for (const { event } of events) expect(runEvent.parse(event)).toEqual(event);
});

test("what older versions did not write is filled in from what is known", () => {
  const find = (type: string) => events.filter(({ event }) => event.type === type).map(({ event }) => event);
  expect(find("run_started")).toMatchObject([{ config: { engine: "planner", budgets: { max_cost_usd: 0.5 } } }]);
  expect(find("iteration_completed")).toMatchObject([{ is_unheard: true, metrics: { tokens: 9, running_ms: 900 } }]);
  expect(find("run_stopped")).toMatchObject([
    { summary: "", stop_reason: { type: "paused", detail: "You paused it" } },
    { summary: "What came of it", report_ref: `/homework/runs/${runId}/report` },
  ]);
  expect(find("run_waiting_on_user")).toMatchObject([{ reason: "asks", questions: [{ id: "q" }] }]);
});

test("an entry of an older version says who did what, as its history tells it", async () => {
  const { rows } = await admin.query("select lane, did from homework.journal_entries");
  expect(rows).toEqual([{ lane: "platform", did: "did it" }]);
});

test("a report of an older version is whole", async () => {
  const { rows } = await admin.query("select report from homework.homework_runs");
  expect(report.parse(rows[0]?.report)).toEqual(rows[0]?.report);
  expect(rows[0]?.report).toMatchObject({
    ...{ language: "en", primary_output: null, messages: [], checks: [{ state: "passed", about: "" }] },
    what_changed: { created: [{ id: "t", project_id: null }], counts: [] },
  });
});

test("of several notifications about a run the newest stays, and none of what the user did", async () => {
  const { rows } = await admin.query("select about, message, told from homework.user_notifications");
  // A wait that lasted, a question and an end.
  expect(rows).toEqual([{ about: `run:${runId}`, message: "Plan: used up", told: 3 }]);
  expect((await admin.query("select moves from homework.homework_runs")).rows).toEqual([{ moves: 3 }]);
});
