import { describe, expect, test } from "vitest";
import { eventKinds } from "../../../../../src/protocol/said-event.ts";
import { makeWireEvent } from "../../../../../test/helpers/sample-events.ts";
import { wordsOf } from "../../../ui/wording.ts";
import { eventLine, isFiltering, matches } from "./event-words.ts";

const made = (type: string, event: Record<string, unknown> = {}) => makeWireEvent(type, { iteration: 3, ...event });

describe("lines", () => {
  test.each([
    [made("run_created", { objective: "Plan\n the  launch" }), "Handed over: Plan the launch"],
    [made("iteration_started", { attempt: 1 }), "Iteration 3 began"],
    [made("iteration_started", { attempt: 2 }), "Iteration 3 began, attempt 2"],
    [made("entry_recorded", { entry: "tool:0", summary: "Created a task" }), "Created a task"],
    [made("entry_recorded", { entry: "tool:0", summary: "" }), "tool:0"],
    [made("entry_recorded", { entry: "a", summary: "Opened a page", lane: "exec:2" }), "Executor 2 — Opened a page"],
    [made("entry_recorded", { entry: "a", summary: "No such page", is_failed: true }), "Failed: No such page"],
    [made("checks_proven", { green: 1, of: 1 }), "1 of 1 check green"],
    [
      made("iteration_cost_update", {
        model: "demo/planner",
        total_cost_micro_usd: 12_300,
        total_tokens: 1_234,
      }),
      "Asked the demo model (rules, no AI): $0.01 and 1,234 tokens so far",
    ],
    [made("run_stopped", { reason: "cost", why: "$1 of $1" }), "Stopped because it used all its money: $1 of $1"],
    [made("run_waiting_on_user", { reason: "asks", questions: [] }), "Needs you: asks"],
    [made("run_answered", { answers: [{ question_id: "q", text: "Blue" }] }), "You answered: Blue"],
    [made("run_undone", { removed: 2, restored: 1, left: 0 }), "Undone: 2 removed, 1 put back"],
    [made("something_new"), "Something new"],
    [made("run_completed", { why: 7 }), "Run completed"],
  ])("%# reads as people say it", (event, line) => {
    expect(eventLine(event)).toBe(line);
  });

  test("a line stays a line, however much a model wrote", () => {
    expect(eventLine(made("entry_recorded", { entry: "a", summary: "x\n".repeat(10_000) })).length).toBe(400);
  });

  test("every kind has words of its own", () => {
    const named = eventKinds.filter((kind) => eventLine(made(kind)) === wordsOf(kind));
    expect(named).toEqual([]);
  });
});

describe("filter", () => {
  const event = made("entry_recorded", { entry: "tool:0", summary: "Created a task", hidden: "Kraków" });

  test.each([
    [{ types: [], text: "" }, true],
    [{ types: ["entry_recorded"], text: "" }, true],
    [{ types: ["run_created"], text: "" }, false],
    [{ types: [], text: "  CREATED " }, true],
    [{ types: [], text: "kraków" }, true],
    [{ types: [], text: "absent" }, false],
    [{ types: ["run_created"], text: "task" }, false],
  ])("%j: %s", (filter, fits) => {
    expect(matches(event, filter)).toBe(fits);
  });

  test("blanks are no filter", () => {
    expect(isFiltering({ types: [], text: "  " })).toBe(false);
    expect(isFiltering({ types: ["run_created"], text: "" })).toBe(true);
  });
});
