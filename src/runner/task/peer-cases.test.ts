// Cases of other runners, by their ids, played through ours. Where we answer otherwise, the test says so. Those about the bus and about
// adapters are beside the bus and the adapters.

import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { makeRequest, until } from "../../../test/agents/job-world.ts";
import { endOf, makeConfig, makeTaskWorld, writeDoneScript } from "../../../test/agents/task-world.ts";
import { makeRoot, makeRun, makeTask, removeFolders } from "../../../test/helpers/runner-root.ts";
import { describeSettings } from "../config/config-text.ts";
import { settleJob } from "../job/settle-job.ts";
import { startJob } from "../job/start-job.ts";
import { readRunInfo } from "../layout/run-info.ts";
import { readTaskConfig, writeTaskConfig } from "../layout/task-config.ts";
import { writeDone } from "../layout/task-files.ts";
import { findMissing } from "./dependencies.ts";

afterEach(removeFolders);

/** No process has these. */
const gone = { pid: 2 ** 22 + 1, pgid: 2 ** 22 + 1, process_started: "gone" };

test("runner-001: DONE is there and a child is alive: the loop waits for it and starts nothing", async () => {
  const world = makeTaskWorld("echo never");
  const parent = makeRun(world.root, world.task, gone);
  const request = makeRequest(world.task, "until [ -e go ]; do sleep 0.05; done", { parentRunId: parent.runId });
  const child = await startJob(world.deps.jobs, request);
  writeDone(world.root, world.task);
  const played = world.play();
  await until("it waits", () => world.bodies("INFO").length > 0);
  world.write("go", "");
  expect(endOf(await played)).toBe("completed");
  expect(world.runs()).toHaveLength(2);
  expect(world.bodies("INFO")[0]).toBe(`DONE is there. Waiting for 1 child: ${child.run_id}`);
  expect(world.said).toContain(`DONE is there. Waiting for 1 child: ${child.run_id}`);
  expect(world.infos()[1]).toMatchObject({ run_id: child.run_id, status: "completed" });
});

test("runner-003: DONE on the second start: exactly two starts, the second of them in a chain and told of the first", async () => {
  const world = makeTaskWorld(`[ -e once ] && ${writeDoneScript}; touch once; echo half of it`);
  expect(endOf(await world.play())).toBe("completed");
  const [first, second] = world.infos();
  expect(world.infos()).toHaveLength(2);
  expect(world.entries().filter(({ type }) => type === "START")).toHaveLength(2);
  expect(second).toMatchObject({ previous_run_id: first?.run_id });
  expect(world.prompts()[0]).not.toContain("This is restart");
  expect(world.prompts()[1]).toContain("This is restart 1.");
  expect(world.prompts()[1]).toContain("half of it");
});

test("runner-005: an agent that always fails ends with its restarts, and its error is told", async () => {
  const world = makeTaskWorld("echo 'Error: no water' >&2; exit 1", { set: { max_restarts: "1" } });
  expect(endOf(await world.play())).toBe("stopped: max_iterations");
  expect(world.runs()).toHaveLength(2);
  expect(world.prompts()[1]).toContain("Error: no water");
  expect(world.verdicts).toEqual(["failed", "failed"]);
});

test("runner-007: negative restarts are an error of the settings", () => {
  expect(() => makeConfig({ max_restarts: "-1" })).toThrow("max_restarts must be a whole number from 0 to 10000");
});

test("runner-009: running, its process dead, DONE there: completed with exit code 0", async () => {
  const world = makeTaskWorld("true");
  const run = makeRun(world.root, world.task, { ...gone, shim_pid: gone.pid, shim_started: "gone" });
  writeDone(world.root, world.task);
  expect(await settleJob(world.deps.jobs, run)).toMatchObject({ kind: "ended", result: { verdict: { kind: "ok" } } });
  expect(readRunInfo(world.root, run)).toMatchObject({ status: "completed", exit_code: 0 });
});

test("runner-011: a task that depends on itself, on a circle or on a path is refused", async () => {
  const root = makeRoot();
  const [one, two] = [makeTask(root), makeTask(root)];
  const dependencies = (taskId: string) => (taskId === two.taskId ? [one.taskId] : []);
  const depend = (...on: readonly string[]) => writeTaskConfig(root, one, { depends_on: on }, dependencies);
  expect(() => depend(one.taskId)).toThrow("The tasks would wait for each other");
  expect(() => depend(two.taskId)).toThrow("The tasks would wait for each other");
  expect(() => depend("../other")).toThrow("is not a task id");
  expect(readTaskConfig(root, one).depends_on).toEqual([]);
  // Written by hand, past the command.
  writeFileSync(path.join(one.path, "TASK-CONFIG.yaml"), `depends_on: [${one.taskId}]\n`);
  expect(() => findMissing(root, one)).toThrow("The tasks wait for each other");
});

test("runner-017: the peer posts the end of a run to a webhook; here the bus tells of it, and there is no such setting", () => {
  expect(describeSettings().filter(({ name }) => name.includes("webhook"))).toEqual([]);
});
