import { expect, test } from "vitest";
import type { ListedNotification } from "../../../../src/protocol/api.ts";
import { messageOf } from "../../ui/notification-message.ts";
import { costWords, happenedWords, isWaiting, stepWord, subjectOf, toldWords } from "./notification-words.ts";

const told = (changes: Partial<ListedNotification> = {}): ListedNotification => ({
  id: "1",
  about: "run:1",
  run_id: "1",
  event: "waiting_on_user",
  title: "Homework needs you",
  message: "Choose the colours: which of **these**?",
  action_url: "/homework/runs/1",
  data: {},
  created_at: "",
  read_at: null,
  run: { title: "Choose the colours", status: "waiting_on_user", is_undone: false },
  ...changes,
});

test("a run is called by its name, and its message does not say it again", () => {
  expect([subjectOf(told()), messageOf(told())]).toEqual(["Choose the colours", "Which of these?"]);
  expect(messageOf(told({ message: "Another name: 3 checks passed" }))).toBe("Another name: 3 checks passed");
  expect([subjectOf(told({ run: null })), messageOf(told({ run: null }))]).toEqual([
    "Homework needs you",
    "Choose the colours: which of these?",
  ]);
});

test("a question is told whole, where the message had no room for it", () => {
  const list = "1. Create document “Ways”\n   Text: long\n2. Create task “Hand back the keys”";
  const text = `Review 2 changes. Only what you approve is written:\n\n${list}`;
  const message =
    "Choose the colours: Review 2 changes. Only what you approve is written:\n\n1. Create document “Ways”\n2. Create task “Ha…";
  expect(messageOf(told({ message, data: { questions: [{ id: "1", text, options: [] }] } }))).toBe(
    "Review 2 changes: create document “Ways”, create task “Hand back the keys”.",
  );
  expect(messageOf(told({ message }))).toBe("Review 2 changes: create document “Ways” and 1 more.");
});

test("what has come of it since is said", () => {
  const run = { title: "Choose the colours", status: "completed" as const, is_undone: false };
  expect([happenedWords(told()), isWaiting(told())]).toEqual([null, true]);
  expect([happenedWords(told({ run })), isWaiting(told({ run }))]).toEqual([
    "Homework needs you, answered since",
    false,
  ]);
  expect(happenedWords(told({ run: null }))).toBeNull();
  const undone = told({ event: "completed", title: "Homework complete", run: { ...run, is_undone: true } });
  expect([happenedWords(undone), toldWords(undone)]).toEqual(["Homework complete, undone since", null]);
});

test("of a result, how its report begins and what it cost are told", () => {
  const run = { title: "Choose the colours", status: "completed" as const, is_undone: false };
  const data = { opening: "**Grey** it is.\n\nSee the samples.", cost_micro_usd: 200_000 };
  const done = told({ event: "completed", message: "Choose the colours: 3 checks passed", run, data });
  expect([toldWords(done), costWords(done)]).toEqual(["3 checks passed. Grey it is. See the samples.", "$0.20"]);
  expect([toldWords({ ...done, data: {} }), costWords({ data: {} })]).toEqual(["3 checks passed", null]);
});

test("a button leads to what one does about it, as long as the run is as it was told", () => {
  const after = (status: "completed" | "failed" | "stopped" | "running", event: string = status) =>
    stepWord(told({ event, run: { title: "Choose the colours", status, is_undone: false } }));
  expect(stepWord(told())).toBe("Answer");
  expect(stepWord(told({ message: "Choose the colours: review the plan. Approve it." }))).toBe("Review plan");
  expect([after("completed"), after("failed"), after("stopped")]).toEqual([
    "Open result",
    "Open and retry",
    "Open and resume",
  ]);
  expect([after("running", "failed"), stepWord(told({ run: null }))]).toEqual(["Open run", null]);
});
