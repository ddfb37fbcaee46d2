// Files outside of its folder that an agent says it wrote: the paths in its own calls of tools that write. What its shell commands do is
// not seen here.

import path from "node:path";
import { isRecord, readJson } from "../../lib/json.ts";
import type { AgentEvent } from "../../runner/backends/backend.ts";
import { requireBackend } from "../../runner/backends/backends.ts";
import { readRunInfo } from "../../runner/layout/run-info.ts";
import { inRun, listRuns } from "../../runner/layout/runner-root.ts";
import { readText } from "../../runner/layout/text.ts";
import { isInside } from "../../runner/work/work-folder.ts";
import type { AgentDeps } from "./agent-deps.ts";
import type { AgentPlace } from "./agent-place.ts";

const writing = /write|edit|create|patch|replace|delete|remove|move|file_change/i;
const pathKeys = ["file_path", "filePath", "path", "absolute_path", "notebook_path", "file"];
/** Characters of output that are read, from the end. */
const readMax = 16_000_000;
const foundMax = 50;

export function findWritesOutside(deps: AgentDeps, { task, work }: AgentPlace): readonly string[] {
  const allowed = [work.folder, task.path];
  const files = readEvents(deps, task)
    .flatMap(pathsWritten)
    .map((file) => path.resolve(work.folder, file))
    .filter((file) => !allowed.some((folder) => isInside(folder, file)));
  return [...new Set(files)].slice(0, foundMax);
}

/** Of the last agent run. */
function readEvents({ jobs: { root } }: AgentDeps, task: AgentPlace["task"]): readonly AgentEvent[] {
  const last = listRuns(root, task).at(-1);
  const info = last === undefined ? null : readRunInfo(root, last);
  if (last === undefined || info === null || info.status === "unknown") return [];
  const read = readText(root.disk, inRun(last, "stdout"));
  if (read.kind !== "text") return [];
  const reader = requireBackend(info.agent).reader();
  return read.text.slice(-readMax).split("\n").flatMap(reader.line);
}

function pathsWritten(event: AgentEvent): readonly string[] {
  if (event.kind !== "tool" || event.status !== "started" || !writing.test(event.name)) return [];
  const input = readJson(event.text);
  if (!isRecord(input)) return [];
  return pathKeys.flatMap((key) => {
    const value = input[key];
    return typeof value === "string" && value !== "" ? [value] : [];
  });
}
