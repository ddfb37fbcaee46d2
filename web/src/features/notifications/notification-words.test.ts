import { expect, test } from "vitest";
import type { ListedNotification } from "../../../../src/protocol/api.ts";
import { messageOf } from "../../ui/notification-message.ts";
import { isWaiting, sinceWords, stepWord, subjectOf } from "./notification-words.ts";

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

test("what has come of it since is said", () => {
  const run = { title: "Choose the colours", status: "completed" as const, is_undone: false };
  expect([sinceWords(told()), isWaiting(told())]).toEqual([null, true]);
  expect([sinceWords(told({ run })), isWaiting(told({ run }))]).toEqual(["Answered", false]);
  expect(sinceWords(told({ event: "completed", run }))).toBeNull();
  expect(sinceWords(told({ event: "completed", run: { ...run, is_undone: true } }))).toBe("Undone since");
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
  expect([after("running", "failed"), stepWord(told({ run: null }))]).toEqual([null, null]);
});
