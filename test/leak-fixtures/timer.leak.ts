// Leaves a timer running.

import { test } from "vitest";

test("starts a timer", () => {
  setInterval(() => {}, 60_000);
});
