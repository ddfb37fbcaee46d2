import { expect, test } from "vitest";
import { makeRun } from "../../../test/helpers/make-run.ts";
import { notifiedStatuses } from "./effects.ts";
import { isToldToUser } from "./notification.ts";

const toldOf = (change: Parameters<typeof makeRun>[0]) =>
  notifiedStatuses.filter((status) => isToldToUser(makeRun(change), status));

test("a user is told of everything that happens to a run of their own", () => {
  expect(toldOf({})).toEqual(notifiedStatuses);
});

test("of a run on a task, only of what needs the user: its outcome tells the rest", () => {
  const outcomeTaskId = "01900000-0000-7000-8000-000000000001" as never;
  expect(toldOf({ outcomeTaskId })).toEqual(["waiting_on_user", "holding"]);
});
