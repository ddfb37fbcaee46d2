import { expect, test } from "vitest";
import { makeWireEvent } from "../../../test/helpers/sample-events.ts";
import { parseEvent } from "../said-event.ts";
import { eventWords } from "./event.ts";

function told(type: string, event: Record<string, unknown> = {}): string {
  const said = parseEvent(makeWireEvent(type, { iteration: 3, ...event }));
  if (said === null) throw new Error(`${type} does not fit its contract`);
  return eventWords(said);
}

const entry = { entry: "tool:0" };

test.each([
  ["run_created", { objective: "Plan the launch" }, "Created: Plan the launch"],
  ["iteration_started", { attempt: 1 }, "Iteration 3 started"],
  ["iteration_started", { attempt: 2 }, "Iteration 3 started, attempt 2"],
  ["entry_recorded", { ...entry, summary: 'Made the task "Clear permits"' }, "Created task “Clear permits”"],
  [
    "entry_recorded",
    { ...entry, summary: 'Changed the document "A "quoted" one"' },
    'Updated document “A "quoted" one”',
  ],
  ["entry_recorded", { ...entry, summary: 'Put the goal "Old" into the bin' }, "Deleted goal “Old”"],
  ["entry_recorded", { ...entry, summary: 'Searched for "Risks": 0 found' }, 'Searched for "Risks": 0 found'],
  ["entry_recorded", { ...entry, summary: "" }, "tool:0"],
  ["entry_recorded", { ...entry, summary: "Opened a page", lane: "exec:2" }, "Executor 2: Opened a page"],
  ["entry_recorded", { ...entry, summary: "No such page", is_failed: true }, "Failed: No such page"],
  ["checks_proven", { green: 1, of: 1 }, "1 of 1 check passed"],
  [
    "checks_changed",
    { changes: ["Added: a", "Dropped: b"], why: "b is gone", is_approved: true },
    "Checks changed with your approval: Added: a; Dropped: b. Reason: b is gone",
  ],
  [
    "checks_changed",
    { changes: ["Dropped: b"], why: "", is_awaiting: true },
    "Asked to change your criteria: Dropped: b",
  ],
  [
    "iteration_cost_update",
    { model: "demo/planner", total_cost_micro_usd: 12_300, total_tokens: 1_234 },
    "Called the demo model (rules, no AI): $0.01 and 1,234 tokens so far",
  ],
  [
    "iteration_cost_update",
    { model: "anthropic/claude-sonnet-5.5", total_cost_micro_usd: 12_300, total_tokens: 1 },
    "Called Claude Sonnet 5.5: $0.01 and 1 token so far",
  ],
  ["iteration_completed", { summary: "Two tasks", why: "Work remains" }, "Iteration 3 ended: Two tasks · Work remains"],
  ["iteration_completed", { summary: "", why: "Work remains" }, "Iteration 3 ended: Work remains"],
  ["run_holding", { why: "too many requests" }, "Waiting for the model provider: too many requests"],
  ["run_stopped", { reason: "cost", why: "$1.02 of $1.00 used" }, "Stopped: $1.02 of $1.00 used"],
  ["run_stopped", { reason: "paused", why: "You paused it" }, "Paused: You paused it"],
  ["run_waiting_on_user", { reason: "asks", questions: [] }, "Waiting for your answer: asks"],
  ["run_answered", { answers: [{ question_id: "q", text: "Blue" }] }, "Answer received: Blue"],
  ["run_undone", { removed: 2, restored: 1, left: 0 }, "Undone: 2 removed, 1 restored"],
  ["run_undone", { removed: 2, restored: 1, left: 3 }, "Undone: 2 removed, 1 restored, 3 left in place"],
] as const)("%s with %j reads %j", (type, event, line) => expect(told(type, event)).toBe(line));
