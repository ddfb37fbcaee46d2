// Runs and notifications written straight into the tables, in whatever state a test needs, without a worker having been there.

import type pg from "pg";
import { defaultBudget } from "../../src/domain/run/budget/budget.ts";
import { noStreaks } from "../../src/domain/run/gate/streaks.ts";
import { realEnv } from "../../src/main/env.ts";
import { makeQuestion, makeStep } from "./make-run.ts";
import { makeWorld } from "./test-world.ts";

export type RowStatus = "queued" | "waiting_on_user" | "stopped" | "canceled";

const factsIn: Readonly<Record<RowStatus, Readonly<Record<string, unknown>>>> = {
  queued: {},
  waiting_on_user: { questions: JSON.stringify([makeQuestion()]) },
  stopped: { stop_reason: "paused", detail: "You paused it", ended_at: "now" },
  canceled: { ended_at: "now" },
};

/** At iteration 2, with one iteration behind it, and in line for a slot if it is queued. */
export async function insertRun(admin: pg.Pool, userId: string, status: RowStatus = "queued"): Promise<string> {
  const id = realEnv.newId();
  const row: Readonly<Record<string, unknown>> = {
    id,
    user_id: userId,
    objective: "Write the report",
    engine: "planner",
    scope: "global",
    context_type: "global",
    write_mode: "autopilot",
    budgets: JSON.stringify(defaultBudget),
    status,
    iteration: 2,
    has_slot: false,
    streaks: JSON.stringify(noStreaks),
    ...factsIn[status],
  };
  const names = Object.keys(row);
  const holders = names.map((_, index) => `$${index + 1}`);
  await admin.query(`insert into homework.homework_runs (${names}) values (${holders})`, Object.values(row));
  await admin.query(
    `insert into homework.homework_run_iterations (run_id, iteration, attempts, status, started_at, ended_at, decision, why, plan)
     values ($1, 1, 1, 'success', now(), now(), 'continue', 'Work remains', $2)`,
    [id, JSON.stringify({ steps: [makeStep({ title: "After the first iteration" })] })],
  );
  return id;
}

/** Unread. */
export async function insertNotification(admin: pg.Pool, userId: string): Promise<string> {
  const id = realEnv.newId();
  await admin.query(
    `insert into homework.user_notifications (id, user_id, about, event, title, message, action_url)
     values ($1, $2, $3, 'completed', 'Homework complete', 'It is done', '/homework')`,
    [id, userId, `thing:${id}`],
  );
  return id;
}

/** A task that the run made, in a project of its user's own. */
export async function insertOutput(
  admin: pg.Pool,
  userId: string,
  runId: string,
  title = "Made by it",
): Promise<string> {
  const { projectId } = await makeWorld(admin, { [userId]: "owner" });
  const id = realEnv.newId();
  const client = await admin.connect();
  try {
    await client.query("begin");
    await client.query("select set_config('app.run_id', $1, true)", [runId]);
    await client.query(
      "insert into homework.onto_tasks (id, project_id, title, created_by_run) values ($1, $2, $3, $4)",
      [id, projectId, title, runId],
    );
    await client.query("commit");
  } finally {
    client.release();
  }
  return id;
}

/** Two entries of the run's first iteration, for web pages, and a scratchpad with two entries in this project. */
export async function insertTraces(admin: pg.Pool, projectId: string, runId: string): Promise<void> {
  await admin.query(
    `insert into homework.journal_entries (run_id, iteration, key, kind, state, fence, tool, result, ended_at)
     select $1, 1, 'note:' || n, 'tool', 'done', 1, 'web_fetch', '{"result": "x", "artifacts": []}', now() from generate_series(1, 2) n`,
    [runId],
  );
  await admin.query(
    `insert into homework.onto_documents (id, project_id, title, type_key, content, created_by_run)
     values ($1, $2, 'Scratchpad', 'document.homework.scratchpad', $3, $4)`,
    [realEnv.newId(), projectId, "## Iteration 1\n\nBegan\n\n## Iteration 2\n\nWent on\n", runId],
  );
}

/** A new task that waits for its user's word. */
export async function insertStagedWrite(admin: pg.Pool, runId: string, position = 1, content = "red"): Promise<string> {
  const id = realEnv.newId();
  const entityId = realEnv.newId();
  const projectId = realEnv.newId();
  const after = { id: entityId, project_id: projectId, title: "Buy tiles", content, version: 1 };
  const change = { op: "created", kind: "task", projectId, entityId, title: "Buy tiles", before: null, after };
  await admin.query(
    `insert into homework.homework_run_changes
       (run_id, id, position, iteration, entry_key, seed_iteration, seed_key, tool, args, why, changes, state, note)
     values ($1, $2, $3, 1, $4, 1, $4, 'create_task', '{}', 'For the floor', $5, 'pending', '')`,
    [runId, id, position, `tool:${position}`, JSON.stringify([change])],
  );
  return id;
}
