import { expect, test } from "vitest";
import { intentItemStatus } from "./intent-item-status.ts";

test("all parts of an achieved outcome are done; before that each is as far as it is", () => {
  expect(intentItemStatus({ status: "achieved" }, { status: "pending" })).toBe("done");
  expect(intentItemStatus({ status: "active" }, { status: "pending" })).toBe("pending");
});
