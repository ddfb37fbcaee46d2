// Runs at the end of `npm ci`: one small task of `run-agent`, in a folder that is removed again. What it compiled is kept beside the packages
// (node24.js), so that the first call of a person is as quick as any other. An installation does not fail because of it.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("run-agent.js", import.meta.url));
/** A machine with much other work takes its time; an installation waits no longer than this. */
const timeoutMs = 60_000;

const folder = mkdtempSync(path.join(tmpdir(), "run-agent-first-"));
try {
  const agent = path.join(folder, "agent.sh");
  writeFileSync(agent, '#!/bin/sh\ncat > /dev/null\necho done\ntouch "$JRUN_TASK_FOLDER/DONE"\n', { mode: 0o755 });
  const args = ["task", "--root", path.join(folder, "root"), "--quiet", "-p", "first", "--command", agent, "Say done"];
  const { status, stderr, error } = spawnSync(process.execPath, [program, ...args], {
    cwd: folder,
    env: withoutRun(process.env),
    encoding: "utf8",
    timeout: timeoutMs,
  });
  if (status !== 0) {
    const why = error?.message ?? stderr.trim();
    process.stderr.write(`run-agent could not do its first task; npm ci went on without it. ${why}\n`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** An installation by an agent is no part of its run. */
function withoutRun(variables) {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !/^(?:JRUN|RUN_AGENT|CONDUCTOR)_/.test(name)));
}
