// An outcome written straight into the tables, with something of everything below it, without a worker having been there. Two of each
// that is listed, so that lists have a second page.

import pg from "pg";
import { defaultAutoResolve, defaultHomrConfig } from "../../src/domain/homr/homr-config.ts";
import { noIntent, type OutcomeStatus } from "../../src/domain/homr/outcome.ts";
import { defaultBudget } from "../../src/domain/run/budget/budget.ts";
import { realEnv } from "../../src/main/env.ts";
import { insertRun } from "./run-rows.ts";

export type OutcomeIds = {
  readonly outcomeId: string;
  /** #1 is completed, #2 is paused by the question, #3 failed and waits for #1, #4 waits for a gate. */
  readonly tasks: readonly [string, string, string, string];
  /** The run of the attempt at #1; its first iteration carried the blocker. */
  readonly runId: string;
  readonly escalationId: string;
  readonly observationId: string;
  /** A blocker that nobody has resolved. */
  readonly itemId: string;
  readonly interventionId: string;
  readonly memoryId: string;
};

export type OutcomeRow = {
  readonly status?: OutcomeStatus;
  readonly escalation?: "pending" | "pending_confirmation";
  readonly name?: string;
};

const options = [
  { id: "plain", label: "A plain form", description: "One page", implications: "Quick", action: "proceed" },
  { id: "fail", label: "A rich form", description: "Many pages", implications: "Slow", action: "proceed" },
];

type Row = Readonly<Record<string, string | number | boolean | null>>;
type Insert = (table: string, row: Row) => void;

const literal = (value: Row[string]) => (value === null ? "null" : pg.escapeLiteral(String(value)));

const statement = (table: string, row: Row) =>
  `insert into homework.${table} (${Object.keys(row)}) values (${Object.values(row).map(literal)})`;

/** All of it in one go: the route matrix makes thousands. */
export async function insertOutcome(admin: pg.Pool, userId: string, given: OutcomeRow = {}): Promise<OutcomeIds> {
  const { status = "active", escalation = "pending", name = "A shop for lamps" } = given;
  const statements: string[] = [];
  const insert: Insert = (table, row) => void statements.push(statement(table, row));
  const runs = [await insertRun(admin, userId, "canceled"), await insertRun(admin, userId, "canceled")] as const;
  const outcomeId = realEnv.newId();
  insert("outcomes", {
    id: outcomeId,
    user_id: userId,
    name,
    brief: "I want to sell lamps",
    intent: JSON.stringify({
      ...noIntent,
      summary: "A shop that sells lamps",
      successCriteria: ["A lamp can be bought"],
    }),
    status,
    engine: "planner",
    write_mode: "autopilot",
    time_zone: "UTC",
    workers: 1,
    run_budget: JSON.stringify(defaultBudget),
    config: JSON.stringify(defaultHomrConfig),
    auto_resolve: JSON.stringify(defaultAutoResolve),
    next_number: 5,
    last_seq: 2,
    event_seq: 1,
  });
  insert("outcome_events", {
    outcome_id: outcomeId,
    seq: 1,
    type: "outcome_changed",
    data: JSON.stringify({ name, status }),
  });
  for (const version of [1, 2])
    insert("outcome_designs", { outcome_id: outcomeId, version, text: `Design ${version}`, made_by: "user" });
  const tasks = insertTasks(insert, outcomeId);
  for (const [at, runId] of runs.entries()) insertAttempt(insert, tasks[0], at + 1, runId);
  const observationId = insertObservations(insert, outcomeId, tasks[0]);
  const escalationId = insertEscalations(insert, outcomeId, tasks[1], escalation);
  const itemId = insertItems(insert, outcomeId, runs[0]);
  const interventionId = insertSaid(insert, outcomeId);
  const memoryId = insertMemories(insert, userId, outcomeId);
  await admin.query(statements.join(";\n"));
  return { outcomeId, tasks, runId: runs[0], escalationId, observationId, itemId, interventionId, memoryId };
}

function insertTasks(insert: Insert, outcomeId: string): OutcomeIds["tasks"] {
  const add = (number: number, status: string, more: Row = {}) => {
    const id = realEnv.newId();
    const isOver = status === "completed" || status === "failed";
    const usual = { priority: 100, max_attempts: 3, made_by: "user", attempts: isOver ? 1 : 0 };
    const when = isOver ? { ended_at: "now" } : {};
    insert("outcome_tasks", {
      id,
      outcome_id: outcomeId,
      number,
      title: `Task ${number}`,
      status,
      ...usual,
      ...when,
      ...more,
    });
    return id;
  };
  const gates = JSON.stringify([
    { id: "gate_1", kind: "human_approval", label: "Say yes", given: null, isAsked: true },
  ]);
  const first = add(1, "completed");
  const second = add(2, "paused");
  const third = add(3, "failed");
  const fourth = add(4, "pending", { gates });
  insert("outcome_task_dependencies", { outcome_id: outcomeId, task_id: third, depends_on: first });
  return [first, second, third, fourth];
}

function insertAttempt(insert: Insert, taskId: string, attempt: number, runId: string): void {
  insert("outcome_task_attempts", {
    task_id: taskId,
    attempt,
    run_id: runId,
    state: attempt === 1 ? "completed" : "failed",
    is_observed: true,
    ended_at: "now",
  });
}

/** One for each attempt. */
function insertObservations(insert: Insert, outcomeId: string, taskId: string): string {
  const ids = [realEnv.newId(), realEnv.newId()] as const;
  for (const [at, id] of ids.entries()) {
    insert("homr_observations", {
      id,
      outcome_id: outcomeId,
      task_id: taskId,
      attempt: at + 1,
      has_succeeded: at === 0,
      observed_by: "model",
      on_track: true,
      alignment_score: 92,
      quality: "good",
      discoveries: JSON.stringify([
        { type: "constraint", content: "The gateway throttles", relevantTasks: ["*"], source: "its log" },
      ]),
      summary: `The lamp page works, attempt ${at + 1}`,
      steering_max: 5,
      is_tainted: false,
    });
    insert("homr_activity_log", {
      outcome_id: outcomeId,
      seq: at + 1,
      type: "observation",
      task_id: taskId,
      cause: JSON.stringify({ kind: "discovery", observationId: id }),
      summary: "Observed task #1",
      details: JSON.stringify({ score: 92 }),
    });
    insert("homr_reviews", { outcome_id: outcomeId, cycle: at + 1, is_clean: true, summary: "Nothing to mend" });
  }
  return ids[0];
}

/** One that is open, and an earlier one that was answered. */
function insertEscalations(insert: Insert, outcomeId: string, taskId: string, status: string): string {
  const usual = {
    outcome_id: outcomeId,
    question: "Which checkout form?",
    context: "Two would do",
    options: JSON.stringify(options),
  };
  const facts = { is_whole: false, pauses: true, is_tainted: false };
  const [open, answered] = [realEnv.newId(), realEnv.newId()];
  const proposed = JSON.stringify({ option: "plain", confidence: 0.9, reason: "It is quick" });
  insert("homr_escalations", {
    ...usual,
    ...facts,
    id: answered,
    trigger_type: "blocking_decision",
    status: "answered",
    answer_option: "plain",
    answer_context: "Until June",
    answered_by: "human",
    answered_at: "now",
    created_at: "2026-01-01T00:00:00Z",
  });
  insert("homr_escalations", {
    ...usual,
    ...facts,
    id: open,
    trigger_type: "multiple_approaches",
    status,
    proposed: status === "pending" ? null : proposed,
  });
  insert("homr_escalation_tasks", { escalation_id: open, task_id: taskId });
  return open;
}

/** A blocker that two prompts carried. */
function insertItems(insert: Insert, outcomeId: string, runId: string): string {
  const id = realEnv.newId();
  insert("homr_context_items", {
    id,
    outcome_id: outcomeId,
    kind: "discovery",
    type: "blocker",
    content: "The key for the gateway is missing",
    details: JSON.stringify({ resolvedAtMs: null, memoryId: null }),
    is_tainted: false,
  });
  insert("homework_run_iterations", { run_id: runId, iteration: 2, attempts: 1, status: "running", started_at: "now" });
  for (const iteration of [1, 2])
    insert("homr_briefs", { run_id: runId, iteration, text: "You work on lamps", items: `{${id}}` });
  return id;
}

function insertSaid(insert: Insert, outcomeId: string): string {
  const ids = [realEnv.newId(), realEnv.newId()] as const;
  for (const id of ids)
    insert("outcome_interventions", {
      id,
      outcome_id: outcomeId,
      type: "redirect",
      message: "Only brass lamps",
      status: "acknowledged",
    });
  insert("homr_context_items", {
    id: ids[0],
    outcome_id: outcomeId,
    kind: "injection",
    type: "decision",
    content: "Only brass lamps",
    details: JSON.stringify({ priority: "must_know", reason: "You said so" }),
    is_tainted: false,
  });
  return ids[0];
}

function insertMemories(insert: Insert, userId: string, outcomeId: string): string {
  const ids = [realEnv.newId(), realEnv.newId()] as const;
  for (const id of ids)
    insert("homr_memories", {
      id,
      user_id: userId,
      type: "lesson",
      importance: "medium",
      content: `Payment gateways throttle at night (${id})`,
      confidence: 0.8,
      outcome_id: outcomeId,
      is_tainted: true,
    });
  return ids[0];
}

/** Of the tasks: the paused one, unless the route needs one that failed, has a dependency or waits for a gate. */
export function outcomeIds(pattern: string, ids: OutcomeIds): Readonly<Record<string, string | undefined>> {
  const [first, second, third, fourth] = ids.tasks;
  const isThird = /retry|dependencies\/\{/.test(pattern);
  return {
    outcomeId: ids.outcomeId,
    taskId: isThird ? third : pattern.includes("gates") ? fourth : second,
    dependsOn: first,
    gateId: "gate_1",
    taskRunId: ids.runId,
    escId: ids.escalationId,
    observationId: ids.observationId,
    itemId: ids.itemId,
    interventionId: ids.interventionId,
    memoryId: ids.memoryId,
  };
}
