// Says when the record of a run may have changed, so that its end is seen at once and not at the next look. It only wakes: the truth is
// read from the record. Where the system cannot watch the folder, nothing is said.

import { type FSWatcher, watch } from "node:fs";
import path from "node:path";
import { inRun, type RunFolder } from "../layout/runner-root.ts";

export type RecordWatch = {
  /** Aborted by the first change after this call. */
  readonly next: () => AbortSignal;
  readonly close: () => void;
};

export function watchRecord(run: RunFolder): RecordWatch {
  let changed = new AbortController();
  const watcher = tryWatch(run.path, (name) => {
    if (name === path.basename(inRun(run, "info"))) changed.abort();
  });
  return {
    next: () => {
      changed = new AbortController();
      return changed.signal;
    },
    close: () => watcher?.close(),
  };
}

/** Null: the folder is gone, or the system has no watch left. */
function tryWatch(folder: string, tell: (name: string | null) => void): FSWatcher | null {
  try {
    const watcher = watch(folder, { persistent: false }, (_, name) => tell(name));
    // A watch that breaks leaves the looks at intervals.
    return watcher.on("error", () => watcher.close());
  } catch {
    return null;
  }
}
