// Leaves a process that has lost its parent: the shell that started it has ended.

import { spawnSync } from "node:child_process";
import { test } from "vitest";

test("starts a daemon", () => {
  spawnSync("sh", ["-c", "setsid sleep 21 >/dev/null 2>&1 </dev/null &"]);
});
