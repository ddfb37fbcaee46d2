// One whole event of every kind, with boring fields: a kind that is new has to be added here, and is then looked for wherever
// events are shown.

import type { EventOf, RunEventKind } from "../../src/domain/run/events.ts";
import type { RunEvent } from "../../src/protocol/api.ts";

const stamp = { running_ms: 0, unread: 0 } as const;
const moved = { iteration: 1, ...stamp } as const;
const reported = {
  summary: "All of it is there.",
  stop_reason: { type: "completed", detail: "3 checks are green" },
  report_ref: "/homework/runs/1/report",
} as const;

const sampleEvents: { readonly [Kind in RunEventKind]: EventOf<Kind> } = {
  run_created: {
    type: "run_created",
    ...stamp,
    objective: "Plan the launch",
    max_iterations: 20,
    checks: 1,
    why: null,
  },
  run_admitted: { type: "run_admitted", ...moved },
  run_started: {
    type: "run_started",
    ...stamp,
    objective: "Plan the launch",
    config: {
      engine: "planner",
      scope: "global",
      project_ids: [],
      context_type: "global",
      entity_id: null,
      budgets: {
        max_iterations: 20,
        max_wall_clock_ms: 3_600_000,
        max_cost_usd: null,
        max_total_tokens: null,
        max_tool_calls: null,
        hard: false,
      },
      permissions: { write_mode: "autopilot", allowed_tools: null },
      models: null,
    },
  },
  iteration_started: { type: "iteration_started", ...moved, attempt: 1 },
  iteration_released: { type: "iteration_released", ...moved },
  entry_recorded: { type: "entry_recorded", iteration: 1, entry: "tool:0", summary: "Created a task" },
  checks_changed: { type: "checks_changed", ...moved, changes: ["Added: a page"], why: "You asked for it" },
  checks_proven: { type: "checks_proven", ...moved, green: 1, of: 2 },
  iteration_cost_update: {
    type: "iteration_cost_update",
    iteration: 1,
    model: "demo/planner",
    cost_micro_usd: 0,
    priced_by: "free",
    tokens: 10,
    total_cost_micro_usd: 0,
    total_tokens: 10,
  },
  iteration_completed: {
    type: "iteration_completed",
    ...moved,
    status: "success",
    summary: "Wrote a page",
    decision: "continue",
    why: "Work remains",
    metrics: { running_ms: 0, cost_micro_usd: 0, tokens: 10, tool_calls: 1 },
  },
  run_holding: { type: "run_holding", ...moved, until_ms: 1_900_000_000_000, why: "429" },
  model_silent: {
    type: "model_silent",
    ...moved,
    entry: "llm:0",
    active_ms: 4_000,
    model: "openai/gpt-6.1-sol",
    silent_ms: 120_000,
    tries: 3,
    tries_most: 5,
    at_stake_micro_usd: 570_000,
  },
  model_heard: { type: "model_heard", ...moved, entry: "llm:0", active_ms: 4_000 },
  run_waiting_on_user: { type: "run_waiting_on_user", ...moved, questions: [], reason: "It asks" },
  run_answered: { type: "run_answered", ...moved, answers: [{ question_id: "q", text: "Blue" }] },
  run_steered: { type: "run_steered", ...moved, message: "Shorter" },
  run_resumed: { type: "run_resumed", ...moved, max_iterations: 30 },
  run_completed: { type: "run_completed", ...moved, ...reported, why: "3 checks are green" },
  run_stopped: { type: "run_stopped", ...moved, ...reported, reason: "cost", why: "$1 of $1" },
  run_failed: { type: "run_failed", ...moved, why: "Every worker died" },
  run_canceled: { type: "run_canceled", ...moved },
  run_undone: { type: "run_undone", iteration: 1, removed: 2, restored: 1, left: 0 },
  run_restored: { type: "run_restored", iteration: 1, restored: 3, left: 0 },
};

/** As the server sends it; `type` may be one that there is not. */
export function makeWireEvent(
  type: string,
  fields: Readonly<Record<string, unknown>> = {},
  over: Partial<RunEvent> = {},
): RunEvent {
  const sample: Readonly<Record<string, unknown>> = type in sampleEvents ? sampleEvents[type as RunEventKind] : {};
  const event = { ...sample, ...fields, type };
  const iteration = "iteration" in event && typeof event.iteration === "number" ? event.iteration : null;
  return {
    run_id: "0198c2a4-0000-7000-8000-000000000001",
    seq: 1,
    type,
    iteration,
    event,
    at: "2026-01-01T00:00:00.000Z",
    ...over,
  };
}
