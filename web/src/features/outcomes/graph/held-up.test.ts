import { expect, test } from "vitest";
import { findHeldUp } from "./held-up.ts";

const task = (id: string, status: "pending" | "failed" | "paused" | "completed", ...depends_on: string[]) => ({
  id,
  status,
  depends_on,
});

test("what holds up most comes first, with all that wait for it, directly or not", () => {
  const found = findHeldUp([
    task("asks", "paused"),
    task("after", "pending", "asks"),
    task("broken", "failed"),
    task("last", "pending", "next"),
    task("next", "pending", "broken"),
    task("done", "completed", "broken"),
    task("behind", "pending", "done"),
  ]);
  expect(found.map(({ task: { id }, waiting }) => [id, [...waiting]])).toEqual([
    ["broken", ["next", "last"]],
    ["asks", ["after"]],
  ]);
});
