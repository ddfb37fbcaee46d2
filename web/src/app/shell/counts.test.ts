import { expect, test } from "vitest";
import { shortCount, titleWith, workSentence, workWords } from "./counts.ts";

const none = { running: 0, queued: 0, waiting: 0 };

test("a badge never grows beyond three characters", () => {
  expect([shortCount(1), shortCount(99), shortCount(100)]).toEqual(["1", "99", "99+"]);
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

test("who needs the user goes before what runs, and what runs before what waits in line", () => {
  expect(workWords({ running: 2, queued: 3, waiting: 1 })).toEqual({ words: "Homework needs you", count: 1 });
  expect(workWords({ running: 2, queued: 3, waiting: 0 })).toEqual({ words: "Homework running", count: 2 });
  expect(workWords({ ...none, queued: 3 })).toEqual({ words: "Homework in line", count: 3 });
  expect(workWords(none)).toBeNull();
});

test("the sentence tells all of them", () => {
  expect(workSentence({ running: 2, queued: 1, waiting: 1 })).toBe("1 needs you, 2 running, 1 in line");
  expect(workSentence({ ...none, waiting: 2 })).toBe("2 need you");
});
