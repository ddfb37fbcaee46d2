// Leaves a process that has lost its parent: the shell that started it has ended.

import { spawnSync } from "node:child_process";
import { test } from "vitest";

test("starts a daemon", () => {
  // Until it has come to its own program: in between it has no command line to be found by.
  const daemon =
    'setsid sleep 21 >/dev/null 2>&1 </dev/null & while read name </proc/$!/comm && [ "$name" != sleep ]; do :; done';
  spawnSync("sh", ["-c", daemon]);
});
