// Roots of `run-agent` for tests of the HTTP API: one for each user, with tasks that have a run, messages and facts. Nothing is started.

import { appendFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { UserId } from "../../src/domain/identity/identity.ts";
import type { RunId } from "../../src/domain/run/run.ts";
import { namesOf, projectOfRuns } from "../../src/engine/agent/agent-place.ts";
import { silentLogger } from "../../src/lib/logger.ts";
import { formatEntry } from "../../src/runner/bus/entry.ts";
import { listProcesses } from "../../src/runner/job/process-table.ts";
import {
  createTask,
  inRun,
  inTask,
  openTask,
  type RunFolder,
  type RunnerRoot,
  type TaskFolder,
} from "../../src/runner/layout/runner-root.ts";
import { keepHomeworkRun, keepTaskText } from "../../src/runner/layout/task-files.ts";
import { type Desk, type DeskDeps, openDesk } from "../../src/runner/serve/desk.ts";
import type { PreparedTask } from "../../src/runner/serve/start-task.ts";
import type { DesksPort } from "../../src/server/routes/agent-routes.ts";
import { makeFolder, makeRoot, makeRun } from "./runner-root.ts";

export type AgentTaskIds = {
  readonly project: string;
  readonly task: string;
  readonly run: string;
  readonly questionId: string;
};

type RunOfUser = { readonly id: RunId; readonly userId: UserId };

export type TestAgents = DesksPort & {
  readonly makeTask: (userId: string, project: string) => AgentTaskIds;
  /** The folder that the agents of a Homework run have; `as`: whose work, or whose review. */
  readonly makeRunTask: (run: RunOfUser, as?: "taskId" | "reviewTaskId") => TaskFolder;
  /** Of the agents of all Homework runs. */
  readonly runsRoot: RunnerRoot;
};

export type TestDesk = { readonly root: RunnerRoot; readonly desk: Desk; readonly started: PreparedTask[] };

/** A desk whose tasks are only written down. */
export function makeDesk(root = makeRoot(), over: Partial<DeskDeps> = {}): TestDesk {
  const started: PreparedTask[] = [];
  const desk = openDesk({
    root,
    table: listProcesses,
    logger: silentLogger,
    agents: [{ name: "claude", file: "/opt/bin/claude" }],
    startTask: async (prepared) => void started.push(prepared),
    whyNotStart: null,
    actor: "Ada",
    ...over,
  });
  return { root, desk, started };
}

export function makeAgents(): TestAgents {
  const folder = makeFolder();
  const ofRuns = makeDesk(makeRoot({ folder: path.join(folder, "homework-runs") }));
  const desks = new Map<string, TestDesk>();
  const deskOf = (userId: string): TestDesk => {
    const known = desks.get(userId) ?? makeDesk(makeRoot({ folder: path.join(folder, userId) }));
    desks.set(userId, known);
    return known;
  };
  return {
    desksFor: ({ userId }) => {
      const runsProject = projectOfRuns(userId);
      const hasRuns = ofRuns.root.disk.kindOf(path.join(ofRuns.root.folder, runsProject)) === "folder";
      return { own: deskOf(userId).desk, runs: hasRuns ? ofRuns.desk : null, runsProject };
    },
    runsRoot: ofRuns.root,
    makeRunTask: (run, as = "taskId") => {
      const { projectId, [as]: taskId } = namesOf(run);
      const task = openTask(ofRuns.root, projectId, taskId);
      keepTaskText(ofRuns.root, task, "Water the plants");
      keepHomeworkRun(ofRuns.root, task, run.id);
      return task;
    },
    makeTask: (userId, project) => fillTask(deskOf(userId).root, project),
  };
}

/** As its shim would have written it down. */
export function endAtOnce({ disk }: RunnerRoot, run: RunFolder, status = "completed", exitCode = 0): void {
  const text = disk.read(inRun(run, "info"))?.toString("utf8") ?? "";
  const ended = text
    .replace(/^status: .*$/m, `status: ${status}`)
    .replace(/^end_time: .*$/m, "end_time: 2099-01-01T00:00:00.000Z")
    .replace(/^exit_code: .*$/m, `exit_code: ${exitCode}`);
  disk.replace(inRun(run, "info"), ended);
}

const questionId = "MSG-20261116-120000-000000001-PID00001-0001";

/** A task with an ended run, an open question and a fact of its project. */
export function fillTask(root: RunnerRoot, project: string): AgentTaskIds {
  const task = createTask(root, project, "Water the plants");
  keepTaskText(root, task, "# Water the plants\n\nAll of them.");
  const run = makeRun(root, task);
  writeFileSync(inRun(run, "prompt"), "Water the plants.");
  writeFileSync(inRun(run, "stdout"), "first\nsecond\n");
  endAtOnce(root, run);
  appendFileSync(
    inTask(task, "bus"),
    formatEntry({
      msg_id: questionId,
      ts: "2026-11-16T12:00:00.000Z",
      type: "QUESTION",
      project_id: project,
      task_id: task.taskId,
      run_id: run.runId,
      parents: [],
      attachment_path: "",
      issue_id: "",
      links: [],
      meta: {},
      body: "The roses, too?",
    }),
  );
  writeFileSync(
    path.join(root.folder, project, "FACT-20261116-1200000000-soil.md"),
    "---\ncreated_at: 2026-11-16T12:00:00.000Z\nscope: project\nrun_id: x\ntitle: Soil\n---\nDry.\n",
  );
  return { project, task: task.taskId, run: run.runId, questionId };
}
