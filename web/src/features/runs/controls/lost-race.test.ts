import { expect, test } from "vitest";
import type { Run } from "../../../../../src/protocol/api.ts";
import { ApiError } from "../../../../../src/protocol/api-error.ts";
import { makeWireRun } from "../../../../../test/helpers/cli-runs.ts";
import { refusalOf } from "./lost-race.ts";

function check(now: Partial<Run>, seen: Run["status"] = "running") {
  const run = makeWireRun(now);
  const error = new ApiError(409, "wrong_status", "The run says no", { status: run.status, run });
  return refusalOf(error, "canceled", seen);
}

test("a run that completed first was faster", () =>
  expect(check({ status: "completed" })?.text).toContain("The run was faster: it is completed."));

test("someone else may have canceled it", () =>
  expect(check({ status: "canceled" })?.text).toContain("Someone was faster: it was canceled"));

test("someone else may have paused it", () =>
  expect(check({ status: "stopped", stop_reason: { type: "paused", detail: "" } })?.text).toContain("it was paused"));

test("a run that stopped says why", () =>
  expect(check({ status: "stopped", stop_reason: { type: "cost", detail: "" } })?.text).toContain(
    "it stopped because it used all its money",
  ));

test("someone else may have answered", () =>
  expect(check({ status: "queued" }, "waiting_on_user")?.text).toContain("it goes on already"));

test("the run as it is now comes with it", () => expect(check({ status: "completed" })?.run?.status).toBe("completed"));

test("a refusal in the status one sees is told in the server's words", () =>
  expect(check({ status: "stopped" }, "stopped")?.text).toBe("The run says no."));

test("another failure is no refusal", () =>
  expect(refusalOf(new ApiError(0, "unreachable", "No answer"), "canceled", "running")).toBeNull());
