import { expect, test } from "vitest";
import type { ListedRun, RunNews } from "../../../../../src/protocol/api.ts";
import { answerWord } from "../../../ui/run-words.ts";
import { newsSentence } from "./news-words.ts";
import { askedWords, checkWords, hasWorked, lastLine, madeWords, nextStep, placeWords, tallyOf } from "./row-words.ts";
import { groupCounts, groupFromAddress, inOrder, resultsFirst } from "./run-groups.ts";

const makeRun = (changes: Partial<ListedRun> = {}): ListedRun => ({
  id: "01890000-0000-7000-8000-000000000001",
  title: "Plan a party",
  objective: "Plan a party",
  engine: "planner",
  status: "running",
  iteration: 2,
  max_iterations: 20,
  place_in_line: null,
  hold: null,
  silences: [],
  stop_reason: null,
  progress: "Wrote the menu",
  question: null,
  failure: null,
  is_unread: false,
  checks: { green: 1, of: 3 },
  made: [],
  is_undone: false,
  is_archived: false,
  metrics: { running_ms: 1, tokens_total: 1, cost_total_micro_usd: 1, tool_calls_total: 1, unpriced_calls: 0 },
  created_at: "2026-01-01T10:00:00.000Z",
  started_at: "2026-01-01T10:01:00.000Z",
  updated_at: "2026-01-01T10:05:00.000Z",
  completed_at: null,
  ...changes,
});

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

test.for<[Partial<ListedRun>, string | null]>([
  [{ status: "queued", place_in_line: 1 }, "Starts next"],
  [{ status: "queued", place_in_line: 12 }, "12th in the queue"],
  [{ status: "queued", place_in_line: 22 }, "22nd in the queue"],
  [{ status: "queued", place_in_line: null }, "Starts in a moment"],
  [{ status: "running" }, null],
])("%o is told its place: %s", ([changes, words]) => expect(placeWords(makeRun(changes))).toBe(words));

const nowMs = Date.UTC(2026, 0, 1, 10, 5);
const silence = {
  entry: "llm:0",
  model: "anthropic/claude-sonnet-5-5",
  since: "2026-01-01T10:03:00.000Z",
  tries: 3,
  tries_most: 5,
  at_stake_micro_usd: 566_000,
};

test.for<[string, Partial<ListedRun>, string | null]>([
  [
    "that its model does not answer, for how long and at what price",
    { silences: [silence] },
    "The model has not answered for 2 min, try 3 of 5, at most $0.57 at stake",
  ],
  [
    "no price where there is none",
    { silences: [{ ...silence, at_stake_micro_usd: null, tries_most: 1 }] },
    "The model has not answered for 2 min",
  ],
  ["how far it came", { progress: "Looked around\nWrote the menu\n" }, "Wrote the menu"],
  ["that it begins", { progress: null }, "Getting to work"],
  [
    "that it waits for its provider",
    { hold: { until: "", why: "too many requests" } },
    "Waiting for the model provider: too many requests",
  ],
  [
    "why it stopped, then how far it came",
    { status: "stopped", stop_reason: { type: "cost", detail: "" } },
    "Stopped because it used all its money. Wrote the menu",
  ],
  ["why it failed", { status: "failed", failure: "the worker ended\n" }, "The worker ended"],
  ["nothing, canceled before it made anything", { status: "canceled" }, null],
  ["that all of it was undone", { status: "completed", is_undone: true }, "All changes were undone."],
  ["nothing, in line and new", { status: "queued", progress: null }, null],
])("the last line says %s", ([, changes, line]) => expect(lastLine(makeRun(changes), nowMs)).toBe(line));

const made = (type: string, created: number, updated = 0) => ({ type, created, updated });

test("what a run made is said by kind, and what it only changed where nothing is new", () => {
  expect(madeWords(makeRun())).toBeNull();
  expect(madeWords(makeRun({ made: [made("document", 5, 1), made("task", 1)] }))).toBe("5 documents, 1 task");
  expect(madeWords(makeRun({ made: [made("document", 0, 2)] }))).toBe("2 documents updated");
  const stop_reason = { type: "cost" as const, detail: "" };
  expect(lastLine(makeRun({ status: "completed", made: [made("task", 8)] }), nowMs)).toBe("Made 8 tasks");
  expect(lastLine(makeRun({ status: "stopped", stop_reason, made: [made("task", 8)] }), nowMs)).toBe(
    "Stopped because it used all its money. Made 8 tasks so far.",
  );
});

test("a question is told without the details of the changes it is about", () =>
  expect(
    [
      "Review 1 change:\n1. Create task **Paint**\n   content: red\nDecide.",
      "Review 2 changes and the run's own notes. Nothing is written:\n2. Create task “A”\n3. Create task “B”\n1. Create document “Own”\nDecide.",
      "Which colour?",
    ].map(askedWords),
  ).toEqual([
    "Review 1 change: create task Paint.",
    "Review 2 changes and the run's own notes: create task “A”, create task “B”.",
    "Which colour?",
  ]));

test("of what ended since the last visit, results come first and what the reader ended last", () => {
  const runs = (["canceled", "failed", "completed"] as const).map((status) => makeRun({ status }));
  expect(resultsFirst(runs).map(({ status }) => status)).toEqual(["completed", "failed", "canceled"]);
});

test("what has ended leads to what one does next", () => {
  const stepAfter = (changes: Partial<ListedRun>) => nextStep(makeRun(changes));
  expect(stepAfter({ status: "completed" })).toBe("Open result");
  expect(stepAfter({ status: "completed", is_undone: true })).toBeNull();
  expect(stepAfter({ status: "failed" })).toBe("Open and retry");
  expect(stepAfter({ status: "stopped" })).toBe("Open and resume");
  expect(stepAfter({ status: "canceled" })).toBeNull();
});

test("an open check is pending while the run goes on, and has failed once the run has ended", () => {
  expect(tallyOf(makeRun())).toEqual({ passed: 1, failed: 0, pending: 2 });
  expect(tallyOf(makeRun({ status: "waiting_on_user" }))).toEqual({ passed: 1, failed: 0, pending: 2 });
  expect(tallyOf(makeRun({ status: "canceled" }))).toEqual({ passed: 1, failed: 0, pending: 2 });
  expect(tallyOf(makeRun({ status: "stopped" }))).toEqual({ passed: 1, failed: 2, pending: 0 });
  expect(tallyOf(makeRun({ checks: { green: 0, of: 0 } }))).toBeNull();
  expect(checkWords(makeRun())).toBe("1/3 checks");
});

const news = (changes: Partial<RunNews>): RunNews => ({
  since: new Date(2026, 0, 1, 18, 0).toISOString(),
  finished: 3,
  completed: 3,
  stopped: 0,
  failed: 0,
  needs_you: 1,
  cost_micro_usd: 4_120_000,
  unpriced_calls: 0,
  ...changes,
});
const at = (day: number) => new Date(2026, 0, day, 20, 0).getTime();

test.for<[Partial<RunNews>, number, string | null]>([
  [{}, 1, "Since 18:00: 1 needs you, 3 completed, $4.12 spent in all"],
  [{}, 2, "Since yesterday 18:00: 1 needs you, 3 completed, $4.12 spent in all"],
  [{}, 4, "Since Thursday 18:00: 1 needs you, 3 completed, $4.12 spent in all"],
  [{}, 20, "Since Jan 1 18:00: 1 needs you, 3 completed, $4.12 spent in all"],
  [
    { finished: 0, completed: 0, needs_you: 2, cost_micro_usd: 0 },
    2,
    "Since yesterday 18:00: 2 need you, nothing finished",
  ],
  [{ since: null }, 2, "So far: 1 needs you, 3 completed, $4.12 spent in all"],
  [{ since: null, finished: 0, completed: 0, cost_micro_usd: 0 }, 2, "So far: 1 needs you, nothing finished"],
  [{ since: null, needs_you: 0, finished: 0, completed: 0, cost_micro_usd: 0 }, 2, null],
])("%o on day %i: %s", ([changes, day, sentence]) =>
  expect(newsSentence(news(changes), { questions: 0, canceled: 0 }, at(day))).toBe(sentence),
);

test("questions of outcomes need the reader too, and every way to end is counted by itself", () =>
  expect(newsSentence(news({ finished: 7, stopped: 1, failed: 2 }), { questions: 2, canceled: 4 }, at(1))).toBe(
    "Since 18:00: 3 need you, 3 completed, 1 stopped, 2 failed, 1 undone, $4.12 spent in all",
  ));
test("a first visit names what was canceled, too", () =>
  expect(newsSentence(news({ since: null }), { questions: 0, canceled: 2 }, at(1))).toBe(
    "So far: 1 needs you, 3 completed, 2 canceled, $4.12 spent in all",
  ));
test("a run that failed tells its cost as others do, one that never began does not", () => {
  const free = (status: ListedRun["status"]) =>
    hasWorked(makeRun({ status, metrics: { ...makeRun().metrics, cost_total_micro_usd: 0 } }));
  expect([free("failed"), free("running"), free("queued"), free("canceled")]).toEqual([true, true, false, false]);
  expect(hasWorked(makeRun({ status: "canceled" }))).toBe(true);
});
test("a question is answered by what it asks for", () =>
  expect(
    ["Review 3 changes. Nothing", "Review 1 change:", "Review the plan. Approve it", "Which?"].map(answerWord),
  ).toEqual(["Review changes", "Review changes", "Review plan", "Answer"]));
