// `run-agent` as a process of its own: in a session of its own, with a mark that keeps the shim of the calling agent from ending it.

import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { marks } from "../runner/job/process-table.ts";

const program = fileURLToPath(new URL("../../bin/run-agent.js", import.meta.url));

/** What says which run a process belongs to. */
const ofRun = /^JRUN_|^RUN_AGENT_(?:TAG|SHIM)$/;

export function startAlone(args: readonly string[], mark: string, log: string): void {
  const kept = Object.entries(process.env).filter(([name]) => !ofRun.test(name));
  const file = openSync(log, "a", 0o600);
  try {
    const child = spawn(process.execPath, [program, ...args], {
      env: { ...Object.fromEntries(kept), [marks.shim]: mark },
      detached: true,
      windowsHide: true,
      stdio: ["ignore", file, file],
    });
    child.unref();
  } finally {
    closeSync(file);
  }
}
