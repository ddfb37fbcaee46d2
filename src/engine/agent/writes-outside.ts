// Files outside of its folder that an agent says it wrote: the paths in its own calls of tools that write. What its shell commands do is
// not seen here.

import path from "node:path";
import { isRecord, readJson } from "../../lib/json.ts";
import { requireBackend } from "../../runner/backends/backends.ts";
import { readRunInfo } from "../../runner/layout/run-info.ts";
import { inRun, listRuns } from "../../runner/layout/runner-root.ts";
import { readText } from "../../runner/layout/text.ts";
import { isInside } from "../../runner/work/work-folder.ts";
import type { AgentDeps } from "./agent-deps.ts";
import type { AgentPlace } from "./agent-place.ts";

const writing = /write|edit|create|patch|replace|delete|remove|move|file_change/i;
const pathKeys = ["file_path", "filePath", "path", "absolute_path", "notebook_path", "file"];
/** Lines of output that are read, from the end. */
const readMax = 16_000_000;
const foundMax = 50;

export function findWritesOutside({ jobs: { root } }: AgentDeps, { task, work }: AgentPlace): readonly string[] {
  const last = listRuns(root, task).at(-1);
  const info = last && readRunInfo(root, last);
  if (last === undefined || info === undefined || info.status === "unknown") return [];
  const read = readText(root.disk, inRun(last, "stdout"));
  if (read.kind !== "text") return [];
  const reader = requireBackend(info.agent).reader();
  const allowed = [work.folder, task.path];
  const found = new Set<string>();
  for (const line of read.text.slice(-readMax).split("\n"))
    for (const event of reader.line(line)) {
      if (event.kind !== "tool" || event.status !== "started" || !writing.test(event.name)) continue;
      for (const file of pathsIn(readJson(event.text)))
        if (!allowed.some((folder) => isInside(folder, path.resolve(work.folder, file))) && found.size < foundMax)
          found.add(path.resolve(work.folder, file));
    }
  return [...found];
}

const pathsIn = (input: unknown): readonly string[] =>
  isRecord(input)
    ? pathKeys.flatMap((key) => {
        const value = input[key];
        return typeof value === "string" && value !== "" ? [value] : [];
      })
    : [];
