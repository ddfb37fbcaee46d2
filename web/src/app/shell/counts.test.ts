import { expect, test } from "vitest";
import { countUnlisted, shortCount, soleStatus, titleWith, urgentCount, workWords } from "./counts.ts";

const none = { running: 0, queued: 0, waiting: 0, questions: 0, agents: 0 };

test("a badge never grows beyond three characters", () => {
  expect([shortCount(1), shortCount(99), shortCount(100)]).toEqual(["1", "99", "99+"]);
});

test("what is unread and not listed is counted", () => {
  const [read, unread] = [{ read_at: "2026-01-01" }, { read_at: null }];
  expect([countUnlisted(3, [unread, read, unread]), countUnlisted(1, [unread, unread])]).toEqual([1, 0]);
});

test("the number of unread notifications stands before the title, once", () => {
  expect(titleWith(2, "Projects · Homework")).toBe("(2) Projects · Homework");
  expect(titleWith(3, "(2) Projects · Homework")).toBe("(3) Projects · Homework");
  expect(titleWith(250, "Projects")).toBe("(99+) Projects");
  expect(titleWith(1, "(99+) Projects")).toBe("(1) Projects");
});

test("a title of someone's own that begins with a number keeps it when nothing is unread", () => {
  expect(titleWith(0, "(2) Projects")).toBe("Projects");
  expect(titleWith(0, "2) Projects")).toBe("2) Projects");
});

test("the pill says what runs, what is queued and what needs the user", () => {
  expect(workWords({ running: 2, queued: 0, waiting: 1, questions: 0, agents: 0 })).toBe("2 running · 1 needs you");
  expect(workWords({ running: 1, queued: 3, waiting: 0, questions: 0, agents: 0 })).toBe("1 running · 3 queued");
  expect(workWords({ ...none, waiting: 2 })).toBe("2 need you");
  expect(workWords({ ...none, queued: 1, waiting: 1, questions: 2 })).toBe("1 queued · 3 need you");
  expect(workWords({ ...none, agents: 1 })).toBe("1 needs you");
  expect(workWords(none)).toBe("");
});

test("a narrow header shows how many need the user, else how many run, else how many are queued", () => {
  expect(urgentCount({ running: 2, queued: 3, waiting: 1, questions: 0, agents: 0 })).toBe(1);
  expect(urgentCount({ running: 2, queued: 3, waiting: 0, questions: 0, agents: 0 })).toBe(2);
  expect(urgentCount({ ...none, queued: 3 })).toBe(3);
  expect(urgentCount({ running: 2, queued: 3, waiting: 1, questions: 1, agents: 1 })).toBe(3);
});

test("the pill leads to one run if only one needs the user, or only one runs", () => {
  expect(soleStatus({ running: 5, queued: 1, waiting: 1, questions: 0, agents: 0 })).toBe("waiting_on_user");
  expect(soleStatus({ running: 1, queued: 0, waiting: 2, questions: 0, agents: 0 })).toBeNull();
  expect(soleStatus({ running: 1, queued: 4, waiting: 0, questions: 0, agents: 0 })).toBe("running");
  expect(soleStatus({ running: 2, queued: 0, waiting: 0, questions: 0, agents: 0 })).toBeNull();
  expect(soleStatus({ ...none, queued: 1 })).toBe("queued");
  expect(soleStatus({ ...none, queued: 2 })).toBeNull();
  expect(soleStatus({ ...none, waiting: 1, questions: 1 })).toBeNull();
  expect(soleStatus({ ...none, waiting: 1, agents: 1 })).toBeNull();
});
