import { describe, expect, test } from "vitest";
import { makeRun } from "../../../../test/helpers/make-run.ts";
import { defaultBudget, nothingSpent } from "../budget/budget.ts";
import type { RunState } from "../run.ts";
import { defaultBreakers } from "./breakers.ts";
import { noStreaks, type Streaks } from "./streaks.ts";
import { warningsOf } from "./warnings.ts";

const of = (streaks: Partial<Streaks>) =>
  warningsOf(makeRun({ streaks: { ...noStreaks, ...streaks } }), 1, defaultBreakers);

test("a run that goes well has none", () => {
  expect(warningsOf(makeRun(), 1, defaultBreakers)).toEqual([]);
});

describe("of a streak that is half way to its limit", () => {
  const streaks: readonly (readonly [string, Partial<Streaks>, object])[] = [
    ["no progress", { noProgress: 2 }, { kind: "no_progress", count: 2, limit: 3 }],
    ["the same actions", { sameAction: 1 }, { kind: "repetition", count: 1, limit: 2 }],
    ["there and back", { backAndForth: 2 }, { kind: "repetition", count: 2, limit: 3 }],
    ["the same error", { sameError: 3 }, { kind: "same_error", count: 3, limit: 5 }],
    ["claims turned down", { rejectedClaims: { a: 1, b: 2 } }, { kind: "claim_rejected", count: 2, limit: 3 }],
    ["a missing tool", { toolMisses: 2 }, { kind: "tool_missing", count: 2, limit: 3 }],
  ];
  test.each(streaks)("%s", (_, streak, warning) => {
    expect(of(streak)).toEqual([expect.objectContaining(warning)]);
  });

  test("and not of one that has only begun", () => {
    expect(of({ noProgress: 1, sameError: 2 })).toEqual([]);
  });

  test("in words that say what would happen", () => {
    expect(of({ noProgress: 2 })[0]?.text).toBe("No changes in 2 iterations (stops at 3)");
    expect(of({ sameAction: 1 })[0]?.text).toBe("The run came back to the same actions once (stops at 2)");
  });
});

describe("of a budget", () => {
  const budgeted = (tokens: number, iterationsDone: number) => {
    const run = makeRun({ budget: { ...defaultBudget, maxTokens: 1_000 }, spent: { ...nothingSpent, tokens } });
    return warningsOf(run, iterationsDone, defaultBreakers);
  };

  test("that is 80 % used", () => {
    const text = "80 % of its tokens is used";
    expect(budgeted(800, 10)).toEqual([{ kind: "budget", text, count: 800, limit: 1_000 }]);
    expect(budgeted(799, 10)).toEqual([]);
  });

  test("that the next iteration would cross, going by those before", () => {
    expect(budgeted(600, 1)).toEqual([
      {
        kind: "budget",
        text: "60 % of its tokens is used; the next iteration may be its last",
        count: 600,
        limit: 1_000,
      },
    ]);
    expect(budgeted(500, 1)).toEqual([]);
  });

  test("of iterations, where those that have ended count", () => {
    const at = (state: RunState) =>
      warningsOf({ ...makeRun(), state }, 1, defaultBreakers).map(({ count, limit }) => [count, limit]);
    expect(at({ status: "running", iteration: 8, hold: null })).toEqual([]);
    expect(at({ status: "running", iteration: 9, hold: null })).toEqual([[8, 10]]);
    expect(at({ status: "stopped", iteration: 8, reason: "paused", detail: "" })).toEqual([]);
    expect(at({ status: "stopped", iteration: 8, reason: "tokens", detail: "" })).toEqual([[8, 10]]);
  });
});

test("a run that has ended for good is past all warnings", () => {
  const streaks = { ...noStreaks, noProgress: 3 };
  const ends: readonly RunState[] = [
    { status: "canceled", iteration: 3 },
    { status: "failed", iteration: 3, detail: "" },
  ];
  for (const state of ends) expect(warningsOf({ ...makeRun({ streaks }), state }, 3, defaultBreakers)).toEqual([]);
});
