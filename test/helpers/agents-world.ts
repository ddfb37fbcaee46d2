// A root of `run-agent` with real runs of the `command` backend, and `run-agent serve` on it inside of this process: for browser tests and
// pictures. Agents are scripts of `sh`.

import { writeFileSync } from "node:fs";
import path from "node:path";
import { serveAgents } from "../../src/main/serve-agents.ts";
import { openBus } from "../../src/runner/bus/bus.ts";
import { startJob } from "../../src/runner/job/start-job.ts";
import { stopJob } from "../../src/runner/job/stop-job.ts";
import { waitForJob } from "../../src/runner/job/wait-for-job.ts";
import { writeFact } from "../../src/runner/layout/facts.ts";
import {
  createTask,
  listProjects,
  listRuns,
  listTasks,
  openProject,
  type TaskFolder,
} from "../../src/runner/layout/runner-root.ts";
import { keepTaskText, writeDone, writeTaskState } from "../../src/runner/layout/task-files.ts";
import { viewTask } from "../../src/runner/overview/task-view.ts";
import { makeDeps, makeRequest } from "../agents/job-world.ts";
import { makeRoot } from "./runner-root.ts";

export type AgentsWorld = Awaited<ReturnType<typeof makeAgentsWorld>>;

/** What Claude Code prints, in short. */
const claudeLines = [
  { type: "system", subtype: "init", model: "claude-opus-5-5" },
  {
    type: "assistant",
    message: { content: [{ type: "thinking", thinking: "The roses stand in the sun, so they need the most." }] },
  },
  { type: "assistant", message: { content: [{ type: "text", text: "I look at the list of beds first." }] } },
  {
    type: "assistant",
    message: { content: [{ type: "tool_use", name: "Bash", input: { command: "cat beds.txt" } }] },
  },
  { type: "user", message: { content: [{ type: "tool_result", content: "roses\ntulips\nthyme" }] } },
  { type: "assistant", message: { content: [{ type: "text", text: "Three beds. I water the roses now." }] } },
];
const echo = (lines: readonly object[]) => lines.map((line) => `printf '%s\\n' '${JSON.stringify(line)}'`).join("\n");

export async function makeAgentsWorld(options: { readonly webDir?: string | null } = {}) {
  const root = makeRoot();
  const deps = makeDeps(root);
  const make = (title: string, text = title): TaskFolder => {
    const task = createTask(root, "garden", title);
    keepTaskText(root, task, text);
    return task;
  };
  const start = (task: TaskFolder, script: string, over: Parameters<typeof makeRequest>[2] = {}) =>
    startJob(deps, makeRequest(task, script, over));
  const play = async (task: TaskFolder, script: string, over: Parameters<typeof makeRequest>[2] = {}) => {
    const handle = await start(task, script, over);
    await waitForJob(deps, handle, { slowestMs: 50 });
    return handle.run_id;
  };
  const close = new AbortController();
  const { promise: listening, resolve } = Promise.withResolvers<string>();
  const program = path.join(root.folder, "..", "fake-run-agent.sh");
  writeFileSync(program, '#!/bin/sh\necho "$@" > started.txt\nsleep 0.2\n', { mode: 0o755 });
  const served = serveAgents({
    root,
    host: "127.0.0.1",
    port: 0,
    needsToken: false,
    allowedHosts: [],
    configFile: null,
    agentNames: ["mine"],
    signal: close.signal,
    onListening: ({ url }) => resolve(url),
    program: { command: [program], environment: { PATH: process.env.PATH } },
    ...options,
  });
  return {
    root,
    make,
    start,
    play,
    url: await listening,
    /** Ends the server and every run. */
    close: async () => {
      close.abort();
      await served;
      const tasks = listProjects(root).flatMap((project) => listTasks(root, project));
      for (const task of tasks)
        for (const { isActive, folder } of viewTask(root, task).runs)
          if (isActive) await stopJob(deps, folder, { by: "test", reason: "The test is over." });
    },
  };
}

/** One task of every kind: done, running, asking, failed, new; a child run, a restart, facts, messages. */
export async function fillAgentsWorld(world: AgentsWorld) {
  const { root, make, start, play } = world;
  const done = make("Plant the tulips");
  await play(done, "echo 'Planted 40 tulips.'");
  writeDone(root, done);
  const failed = make("Repair the fence");
  await play(failed, "echo 'The saw is missing.' >&2; exit 3");
  make("Order new seeds");
  const running = make("Water the plants", "# Water the plants\n\nAll of them, **roses first**. Stop when it rains.");
  writeTaskState(root, running, "Roses done, tulips next.");
  const first = await play(running, "echo 'The hose has a hole.'; exit 1");
  const handle = await start(running, `${echo(claudeLines)}\necho 'low pressure' >&2\nsleep 600`, {
    previousRunId: first,
  });
  await play(running, "echo 'Measured: the soil is dry.'", { parentRunId: handle.run_id });
  const bus = openBus(root, running);
  const question = await bus.post({
    type: "QUESTION",
    body: "May I use the water of the neighbours?",
    run_id: handle.run_id,
  });
  const info = await bus.post({ type: "INFO", body: "It will rain tomorrow, says the radio." });
  await bus.post({ type: "USER", body: "Then leave out the thyme.", parents: [info.msg_id] });
  const again = await bus.post({
    type: "QUESTION",
    body: "May I use the water of the neighbours?",
    run_id: handle.run_id,
  });
  writeFact(root, running, {
    title: "The tap is behind the shed",
    run_id: handle.run_id,
    text: "It drips; turn it twice.",
  });
  writeFact(root, openProject(root, "garden"), { title: "Soil", run_id: first, text: "Dry, with a lot of sand." });
  await openBus(root, openProject(root, "garden")).post({ type: "INFO", body: "The garden is open from April on." });
  openProject(root, "kitchen");
  return {
    running: { task: running, run: handle.run_id, firstRun: first, questions: [question.msg_id, again.msg_id] },
    done,
    failed,
    runsOf: (task: TaskFolder) => listRuns(root, task),
  };
}
