// Leaves a child process running.

import { spawn } from "node:child_process";
import { test } from "vitest";

test("starts a program", () => {
  spawn("sleep", ["20"], { stdio: "ignore" }).unref();
});
