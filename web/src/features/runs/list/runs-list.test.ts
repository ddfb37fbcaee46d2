import { expect, test } from "vitest";
import type { RunSummary } from "../../../../../src/protocol/api.ts";
import { checkWords, elapsedMs, lastLine, placeWords } from "./row-words.ts";
import { groupCounts, groupFromAddress, inOrder } from "./run-groups.ts";

const makeRun = (changes: Partial<RunSummary> = {}): RunSummary => ({
  id: "01890000-0000-7000-8000-000000000001",
  objective: "Plan a party",
  engine: "planner",
  status: "running",
  iteration: 2,
  max_iterations: 20,
  place_in_line: null,
  hold: null,
  stop_reason: null,
  progress: "Wrote the menu",
  question: null,
  checks: { green: 1, of: 3 },
  metrics: { running_ms: 1, tokens_total: 1, cost_total_micro_usd: 1, tool_calls_total: 1, unpriced_calls: 0 },
  created_at: "2026-01-01T10:00:00.000Z",
  started_at: "2026-01-01T10:01:00.000Z",
  updated_at: "2026-01-01T10:05:00.000Z",
  completed_at: null,
  ...changes,
});
const noon = Date.parse("2026-01-01T12:00:00.000Z");

test("every status is counted in one group, and all of them in all", () =>
  expect(
    groupCounts({ queued: 1, running: 2, waiting_on_user: 3, completed: 4, stopped: 5, failed: 6, canceled: 7 }),
  ).toEqual({
    needs_you: 3,
    active: 3,
    finished: 22,
    all: 28,
  }));

test("statuses nobody has are no runs", () =>
  expect(groupCounts({})).toEqual({ needs_you: 0, active: 0, finished: 0, all: 0 }));

test("those at work come before those in line, who stand by their place", () => {
  const queued = (place_in_line: number | null) => makeRun({ status: "queued", place_in_line });
  const running = makeRun();
  const mixed = [queued(3), queued(1), running, queued(null), queued(2)];
  expect(inOrder(mixed).map(({ status, place_in_line: place }) => (status === "running" ? "running" : place))).toEqual([
    "running",
    null,
    1,
    2,
    3,
  ]);
});

test("an unknown group in the address shows all", () => {
  expect(groupFromAddress("active")).toBe("active");
  expect(groupFromAddress("lost")).toBeUndefined();
  expect(groupFromAddress(undefined)).toBeUndefined();
});

test.for<[string, Partial<RunSummary>, number | null]>([
  ["a running one counts on", {}, 119 * 60_000],
  ["a waiting one stands where it asked", { status: "waiting_on_user" }, 4 * 60_000],
  ["a finished one stands where it ended", { status: "completed", completed_at: "2026-01-01T10:02:00.000Z" }, 60_000],
  ["one in line has not begun", { status: "queued", started_at: null }, null],
  ["a clock that is behind the server's shows nothing below zero", { started_at: "2026-01-01T12:00:01.000Z" }, 0],
])("elapsed: %s", ([, changes, ms]) => expect(elapsedMs(makeRun(changes), noon)).toBe(ms));

test.for<[Partial<RunSummary>, string | null]>([
  [{ status: "queued", place_in_line: 1 }, "Next in line"],
  [{ status: "queued", place_in_line: 12 }, "12th in line"],
  [{ status: "queued", place_in_line: 22 }, "22nd in line"],
  [{ status: "queued", place_in_line: null }, "Begins in a moment"],
  [{ status: "running" }, null],
])("%o is told its place: %s", ([changes, words]) => expect(placeWords(makeRun(changes))).toBe(words));

test.for<[string, Partial<RunSummary>, string | null]>([
  ["how far it came", { progress: "Looked around\nWrote the menu\n" }, "Wrote the menu"],
  ["that it begins", { progress: null }, "Getting to work"],
  [
    "that it waits for its provider",
    { hold: { until: "", why: "too many requests" } },
    "Waits for the model’s provider: too many requests",
  ],
  [
    "why it stopped, then how far it came",
    { status: "stopped", stop_reason: { type: "cost", detail: "" } },
    "Stopped because it used all its money. Wrote the menu",
  ],
  ["nothing, in line and new", { status: "queued", progress: null }, null],
])("the last line says %s", ([, changes, line]) => expect(lastLine(makeRun(changes))).toBe(line));

test("checks are told once there are any", () => {
  expect(checkWords(makeRun())).toBe("1 of 3 checks green");
  expect(checkWords(makeRun({ checks: { green: 0, of: 0 } }))).toBeNull();
});
