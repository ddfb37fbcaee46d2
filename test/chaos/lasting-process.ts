// A process as an effect with a handle: it works on whatever becomes of its worker, leaves its result in a folder, and is found
// there by its key. It takes the key itself, before anything else, so that of two under one key only one works.

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { LastingEffect } from "../../src/runs/ports/engine.ts";

type ProcessHandle = { readonly folder: string; readonly pid: number };

// $0 is the folder that is its key, $1 how many seconds it works. A file is there as a whole or not at all.
const script = `mkdir "$0" 2>/dev/null || { echo late >> "$0.late"; exit 0; }
cd "$0" && echo $$ > new && mv new pid && sleep "$1" && echo "by $$" > new && mv new result`;

const lookEveryMs = 25;
/** A busy machine takes its time; a process that does not run by then never will. */
const startMaxMs = 30_000;

/** Things of one scene are in `root`; each works for so many seconds. */
export function lastingProcess(root: string, seconds: number): LastingEffect<ProcessHandle, string> {
  const find = async (key: string): Promise<ProcessHandle | null> => {
    const folder = folderOf(root, key);
    const pid = read(path.join(folder, "pid"));
    return pid === null ? null : { folder, pid: Number(pid) };
  };
  return {
    find,
    start: async (key) => {
      const folder = folderOf(root, key);
      spawn("sh", ["-c", script, folder, String(seconds)], { detached: true, stdio: "ignore" }).unref();
      for (let waitedMs = 0; waitedMs < startMaxMs; waitedMs += lookEveryMs) {
        const started = await find(key);
        if (started !== null) return started;
        await sleep(lookEveryMs);
      }
      throw new Error("the process did not start");
    },
    adopt: async ({ folder, pid }, signal) => {
      for (;;) {
        const wasAlive = isAlive(pid);
        const result = read(path.join(folder, "result"));
        if (result !== null) return { kind: "done", result };
        if (!wasAlive) return { kind: "uncertain" };
        await sleep(lookEveryMs, undefined, { signal });
      }
    },
    stop: async ({ pid }) => {
      if (isAlive(pid)) process.kill(-pid, "SIGKILL");
    },
  };
}

const folderOf = (root: string, key: string) =>
  path.join(root, createHash("sha256").update(key).digest("hex").slice(0, 32));

const read = (file: string): string | null => (existsSync(file) ? readFileSync(file, "utf8").trim() : null);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
