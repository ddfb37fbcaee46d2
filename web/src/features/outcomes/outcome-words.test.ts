import { describe, expect, test } from "vitest";
import type { Observation } from "../../../../src/protocol/api.ts";
import { costWords, describeCourse, describeNow, firstChange, progressWords } from "./outcome-words.ts";

const noTasks = { pending: 0, running: 0, paused: 0, completed: 0, failed: 0, obsolete: 0 };
const outcome = {
  status: "active" as const,
  is_drafting: false,
  open_escalations: 0,
  waiting_runs: 0,
  tasks: { ...noTasks, pending: 2, completed: 1 },
  clean_reviews: 0,
};
const running = [{ number: 2, title: "Write it" }];
const seen = (onTrack: boolean, number = 1): Observation =>
  ({ on_track: onTrack, task_number: number, summary: "Too long" }) as Observation;

describe("what happens now", () => {
  const check = (change: Partial<typeof outcome> | object, at: typeof running = []) =>
    describeNow({ ...outcome, ...change }, at);

  test("names the tasks under way and what is left", () =>
    expect(check({}, running)).toEqual({ now: "Working on #2 Write it.", next: "2 tasks to go, then a review." }));

  test("a question comes next, whatever runs", () =>
    expect(check({ open_escalations: 1 }, running).next).toBe("Your answer to 1 question."));

  test("counts what runs ask, too", () =>
    expect(check({ open_escalations: 1, waiting_runs: 1 }, running).next).toBe("Your answer to 2 questions."));

  test("says when everything waits for its owner", () =>
    expect(check({ open_escalations: 2 }).now).toBe("Waiting for your answer. No task is running."));

  test("a draft comes before everything else", () =>
    expect(check({ status: "dormant", is_drafting: true }).now).toBe("HOMЯ is drafting the plan."));

  test("the last reviews are counted", () => {
    const tasks = { ...noTasks, completed: 3 };
    expect(check({ tasks }).next).toBe("Two clean reviews end the outcome.");
    expect(check({ tasks, clean_reviews: 1 }).next).toBe("One more clean review ends the outcome.");
  });

  test("failed tasks that hold up the rest are told", () =>
    expect(check({ tasks: { ...noTasks, failed: 1 } }).now).toBe("1 task failed and nothing else can run."));
});

describe("the course", () => {
  test("follows the last result", () => {
    expect(describeCourse([seen(false, 3), seen(true)], true, { failed: 0, asked: 0 })).toMatchObject({
      word: "Off course",
      why: "Task #3: Too long",
    });
    expect(describeCourse([seen(true), seen(false, 3)], true, { failed: 0, asked: 0 }).word).toBe("Back on course");
    expect(describeCourse([seen(true), seen(true)], true, { failed: 0, asked: 0 }).why).toBe(
      "The last 2 results match what you asked for.",
    );
  });

  test("an open question comes before what the results say, and an answered one does not", () => {
    const word = (asked: number) => describeCourse([seen(true)], true, { failed: 0, asked }).word;
    expect([word(1), word(0)]).toEqual(["Needs your decision", "On course"]);
  });

  test("a failed task is a risk, whatever the results say", () =>
    expect(describeCourse([seen(true)], true, { failed: 2, asked: 0 })).toMatchObject({
      word: "At risk",
      why: "2 tasks failed. Retry, change or skip them.",
    }));

  test("is unknown before the first result, and where nobody looks", () => {
    expect(describeCourse([], true, { failed: 0, asked: 0 }).word).toBe("No results yet");
    expect(describeCourse([seen(true)], false, { failed: 0, asked: 0 }).word).toBe("Not watched");
  });
});

test("progress leaves out what is not needed, and names all the others", () => {
  const tasks = { ...noTasks, completed: 2, running: 1, failed: 1, obsolete: 5 };
  expect(progressWords({ ...outcome, tasks })).toBe("2 of 4 tasks done · 1 running · 1 failed");
  expect(progressWords({ ...outcome, tasks, waiting_runs: 1 })).toBe(
    "2 of 4 tasks done · 1 waiting for you · 1 failed",
  );
  expect(progressWords({ ...outcome, tasks, status: "paused" })).toBe("2 of 4 tasks done · 1 paused · 1 failed");
  expect(progressWords({ ...outcome, tasks: { ...tasks, paused: 1, pending: 3 } })).toBe(
    "2 of 8 tasks done · 1 running · 1 waiting for you · 1 failed · 3 queued",
  );
  expect(progressWords({ ...outcome, tasks: { ...noTasks, obsolete: 5 } })).toBeNull();
});

test("a version says the first line that changed", () => {
  expect(firstChange("# One\nTwo", "# One\nTwo and three")).toBe("Changed: Two and three");
  expect(firstChange("# One\nTwo", "# One\n")).toBe("Removed: Two");
  expect(firstChange("One", "One\n")).toBeNull();
});

test("cost is said with its limit", () => {
  const metrics = { cost_total_micro_usd: 120_000, tokens_total: 1, unpriced_calls: 0 };
  expect(costWords({ metrics }, 5)).toEqual({ spent: "$0.12", limit: "$5.00" });
  const unpriced = { ...metrics, cost_total_micro_usd: 0, unpriced_calls: 2 };
  expect(costWords({ metrics: unpriced }, null)).toEqual({ spent: "No price known", limit: null });
});
