import { expect, test } from "vitest";
import { makeRun } from "../../../../test/helpers/make-run.ts";
import { notifiedStatuses } from "../effects.ts";
import { isToldToUser, notificationFor } from "./notification.ts";

const toldOf = (change: Parameters<typeof makeRun>[0]) =>
  notifiedStatuses.filter((status) => isToldToUser(makeRun(change), status));

test("a user is told of everything that happens to a run of their own", () => {
  expect(toldOf({})).toEqual(notifiedStatuses);
});

test("of a run on a task, only of what needs the user: its outcome tells the rest", () => {
  const outcomeTaskId = "01900000-0000-7000-8000-000000000001" as never;
  expect(toldOf({ outcomeTaskId })).toEqual(["waiting_on_user", "holding"]);
});

test("a run that used up a limit says which and what to do", () => {
  const state = {
    status: "stopped",
    iteration: 3,
    reason: "max_iterations",
    detail: "3 of 3 iterations used; resume it with a higher limit",
  } as const;
  expect(notificationFor({ ...makeRun({ objective: "Find a hall" }), state }, "stopped").message).toBe(
    "Find a hall: 3 of 3 iterations used; resume it with a higher limit",
  );
});

test("a long question ends after a whole word", () => {
  const text = `Which ${"colours ".repeat(100)}`;
  const state = {
    status: "waiting_on_user",
    iteration: 1,
    questions: [{ id: "1", kind: "question", text, options: [] }],
  } as const;
  const { message, data } = notificationFor({ ...makeRun(), state }, "waiting_on_user");
  expect([message, JSON.stringify(data)]).toEqual([
    expect.stringMatching(/colours…$/),
    expect.stringContaining('colours…"'),
  ]);
});
