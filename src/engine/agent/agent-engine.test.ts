// Iterations of the agent engine, each a real process under its shim, on a real database.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { expectNoneLeft } from "../../../test/agents/expect-none-left.ts";
import { checksOf, makeDeps, makeRequest, until } from "../../../test/agents/job-world.ts";
import { agentWorld, scriptAgent } from "../../../test/helpers/agent-world.ts";
import { planCheck } from "../../domain/run/checks/adopt.ts";
import { cancel, respond, steer } from "../../domain/run/commands.ts";
import type { Run } from "../../domain/run/run.ts";
import { openBus } from "../../runner/bus/bus.ts";
import { readBus } from "../../runner/bus/read-bus.ts";
import { locateJob } from "../../runner/job/job-files.ts";
import { listProcesses } from "../../runner/job/process-table.ts";
import { startJob } from "../../runner/job/start-job.ts";
import { stopJob } from "../../runner/job/stop-job.ts";
import { waitForJob } from "../../runner/job/wait-for-job.ts";
import { readRunInfo } from "../../runner/layout/run-info.ts";
import { createTask, listRuns, type TaskFolder } from "../../runner/layout/runner-root.ts";
import type { PoolAgent } from "../../runner/task/agent-pool.ts";
import { checkTagOf } from "../../runner/task/check-processes.ts";
import { endAbandoned } from "./end-abandoned.ts";

const world = await agentWorld();

const done = 'touch "$JRUN_TASK_FOLDER/DONE"; echo finished';
const promptOf = (run: Run, n: number) => {
  const folder = listRuns(world.root, world.taskOf(run)).at(n);
  return JSON.parse(readFileSync(path.join(folder?.path ?? "", "prompt.md"), "utf8"));
};
const reportOf = async ({ id }: Run) =>
  (await world.admin.query("select report from homework.homework_runs where id = $1", [id])).rows[0].report;

const statusOf = (run: Run) => {
  const [folder] = listRuns(world.root, world.taskOf(run));
  return folder && readRunInfo(world.root, folder).status;
};

/** The worker stops while the agent is at work. */
async function leave(run: Run, agent: PoolAgent): Promise<void> {
  const stop = new AbortController();
  const first = world.step(run, [agent], { signal: stop.signal });
  await until("the agent works", () => statusOf(run) === "running");
  stop.abort(new Error("this worker stops"));
  expect(await first).toBe("aborted");
}

test("an agent that writes a file and DONE completes the run; the file is a document of the user, told in the report", async () => {
  const run = await world.createRun();
  const decision = await world.step(run, [scriptAgent(`printf '# Greeting\\nhello\\n' > greeting.md; ${done}`)]);
  expect(decision).toMatchObject({ kind: "complete" });
  const report = await reportOf(run);
  expect(report.what_changed.created).toMatchObject([{ type: "document", title: "Greeting" }]);
  expect(report.work).toMatchObject({ repository: null, file_count: 1, commits: [{ title: "Iteration 1: finished" }] });
  expect(report.summary).toBeTruthy();
});

test("an agent that writes nothing is not believed", async () => {
  const run = await world.createRun();
  expect(await world.step(run, [scriptAgent(done)])).toMatchObject({ kind: "continue", next: "mend_what_failed" });
  expect(await world.step(run, [scriptAgent(`echo hello > hello.txt; ${done}`)])).toMatchObject({ kind: "complete" });
  expect(promptOf(run, 1).rejected).toEqual(["this run has changed no file"]);
  const warnings = readBus(openBus(world.root, world.taskOf(run))).entries.filter(({ type }) => type === "WARNING");
  expect(warnings.map(({ body }) => body)).toEqual([
    "DONE was not accepted and is removed:\nthis run has changed no file",
  ]);
});

test("without DONE it is started again, and the prompt has all that the user said", async () => {
  const run = await world.createRun();
  expect(await world.step(run, [scriptAgent("echo one > one.txt; echo not yet")])).toMatchObject({ kind: "continue" });
  await world.command(run, (now) => steer(now, "Make it two lines."));
  await world.command(run, (now) => steer(now, "And in French."));
  expect(await world.step(run, [scriptAgent(`echo two > two.txt; ${done}`)])).toMatchObject({ kind: "complete" });
  expect(promptOf(run, 0)).toMatchObject({
    restart: 0,
    isCommitted: true,
    checks: ["At least one file in the work folder was made or changed."],
  });
  expect(promptOf(run, 1)).toMatchObject({
    restart: 1,
    rejected: null,
    said: [{ text: "Make it two lines." }, { text: "And in French." }],
  });
});

test("a question on the bus becomes the run's; the answer goes back", async () => {
  const run = await world.createRun();
  const asks = `printf -- '---\\nmsg_id: MSG-20260101-000000-000000001-PID00001-0001\\nts: 2026-01-01T00:00:00.000Z\\ntype: QUESTION\\nrun_id: "%s"\\n---\\nWhich colour?\\n' "$JRUN_ID" >> "$JRUN_MESSAGE_BUS"; sleep 60`;
  expect(await world.step(run, [scriptAgent(asks)])).toMatchObject({
    kind: "ask",
    questions: [{ text: "Which colour?" }],
  });
  const waiting = await world.find(run.id);
  const questionId = waiting.state.status === "waiting_on_user" ? waiting.state.questions[0].id : "";
  await world.command(run, (now) => respond(now, [{ questionId, text: "blue" }]));
  const reads = `grep -A9 'type: ANSWER' "$JRUN_MESSAGE_BUS" > answer.txt; ${done}`;
  expect(await world.step(run, [scriptAgent(reads)])).toMatchObject({ kind: "complete" });
  expect(readFileSync(path.join(world.taskOf(run).path, "work", "answer.txt"), "utf8")).toContain("blue");
  expect(promptOf(run, 1).said).toMatchObject([{ question: "Which colour?", text: "blue" }]);
});

test("an agent whose worker is gone is adopted by the next attempt, and counted once", async () => {
  const run = await world.createRun();
  const gate = path.join(world.root.folder, `gate-${run.id}`);
  const agent = scriptAgent(
    `echo started >> starts.txt; while [ ! -e '${gate}' ]; do sleep 0.05; done; echo hello > hello.txt; ${done}`,
  );
  const stop = new AbortController();
  const first = world.step(run, [agent], { signal: stop.signal });
  const starts = path.join(world.taskOf(run).path, "work", "starts.txt");
  await expect.poll(() => existsSync(starts)).toBe(true);
  stop.abort(new Error("this worker stops"));
  expect(await first).toBe("aborted");
  writeFileSync(gate, "");
  expect(await world.step(run, [agent], { isAgain: true })).toMatchObject({ kind: "complete" });
  expect(readFileSync(starts, "utf8")).toBe("started\n");
  const ledger = await world.admin.query("select role, model from homework.llm_usage_logs where run_id = $1", [run.id]);
  expect(ledger.rows.length).toBeLessThanOrEqual(1);
  expect(listRuns(world.root, world.taskOf(run))).toHaveLength(1);
});

test("an agent that ends with DONE while its worker is gone is counted once by the next attempt", async () => {
  const run = await world.createRun();
  const gate = path.join(world.root.folder, `gate-${run.id}`);
  const agent = scriptAgent(`while [ ! -e '${gate}' ]; do sleep 0.05; done; echo hello > hello.txt; ${done}`);
  await leave(run, agent);
  writeFileSync(gate, "");
  await until("it has ended", () => statusOf(run) === "completed");
  const starts = listRuns(world.root, world.taskOf(run)).length;
  expect(await world.step(run, [agent], { isAgain: true })).toMatchObject({ kind: "complete" });
  const ledger = await world.admin.query("select role from homework.llm_usage_logs where run_id = $1", [run.id]);
  expect([starts, listRuns(world.root, world.taskOf(run)).length, ledger.rows]).toEqual([1, 1, [{ role: "agent" }]]);
});

test("a check that is under way when its worker stops is ended, and the next attempt runs it anew", async () => {
  const check = `[ -e tried ] && exit; touch tried; setsid sleep 300 & sleep 300`;
  const target = { kind: "command_succeeds", program: "sh", args: ["-c", check] } as const;
  const run = await world.createRun({
    checks: [planCheck, { id: "user_1", deliverableId: null, target, givenBy: "user" }],
  });
  const agent = scriptAgent(`echo hello > hello.txt; ${done}`);
  const stop = new AbortController();
  const first = world.step(run, [agent], { signal: stop.signal });
  const task = world.taskOf(run);
  await until("the check works", () => checksOf(task).length > 1);
  stop.abort(new Error("this worker stops"));
  expect(await first).toBe("aborted");
  expect(checksOf(task)).toEqual([]);
  // As a worker that is killed leaves it.
  const left = spawn("sleep", ["300"], { env: { RUN_AGENT_TAG: checkTagOf(task) }, detached: true, stdio: "ignore" });
  await until("it is seen", () => checksOf(task).length === 1);
  expect(await world.step(run, [agent], { isAgain: true })).toMatchObject({ kind: "complete" });
  expect([checksOf(task), left.signalCode ?? (await once(left, "exit"))[1]]).toEqual([[], "SIGTERM"]);
});

test("an agent whose run was canceled while no worker was there is ended; one whose run goes on is left alone", async () => {
  const canceled = await world.createRun();
  await leave(canceled, scriptAgent("sleep 300"));
  const kept = await world.createRun();
  await leave(kept, scriptAgent("sleep 300"));
  await world.command(canceled, cancel);
  const jobs = { root: world.root, table: listProcesses };
  expect(await endAbandoned(world.db, jobs)).toEqual([world.taskOf(canceled).taskId]);
  expect([statusOf(canceled), statusOf(kept)]).toEqual(["failed", "running"]);
  for (const run of listRuns(world.root, world.taskOf(canceled))) await expectNoneLeft(run);
  await world.command(kept, cancel);
  await endAbandoned(world.db, jobs);
  expect(await endAbandoned(world.db, jobs)).toEqual([]);
});

test("what the agents of a canceled run have started under other tasks is ended, too, also when they are gone themselves", async () => {
  const run = await world.createRun();
  expect(await world.step(run, [scriptAgent("echo not yet")])).toMatchObject({ kind: "continue" });
  const jobs = makeDeps(world.root);
  const make = (title: string) => createTask(world.root, "garden", title);
  const start = (task: TaskFolder, script: string, parentRunId: string) =>
    startJob(jobs, makeRequest(task, script, { parentRunId }));
  const help = make("Help");
  const helper = await start(help, "true", listRuns(world.root, world.taskOf(run))[0]?.runId ?? "");
  await waitForJob(jobs, helper);
  const itsHelper = await start(make("Help the helper"), "sleep 300", helper.run_id);
  const stranger = await start(make("Something else"), "sleep 300", "");
  expect(await endAbandoned(world.db, jobs)).toEqual([]);
  await world.command(run, cancel);
  expect(await endAbandoned(world.db, jobs)).toEqual([world.taskOf(run).taskId]);
  await expectNoneLeft(locateJob(world.root, itsHelper));
  // A person works on in a task that an agent had begun: that is theirs, and no one is told that it was ended.
  const persons = await start(help, "sleep 300", "");
  expect(await endAbandoned(world.db, jobs)).toEqual([]);
  for (const job of [stranger, persons].map((each) => locateJob(world.root, each))) {
    expect(readRunInfo(world.root, job)).toMatchObject({ status: "running" });
    await stopJob(jobs, job, { by: "a test", reason: "over" });
  }
});

test("an objective that is a question: the agent's last words are the result", async () => {
  const run = await world.createRun({ objective: "What is the capital of France?" });
  const says = `touch "$JRUN_TASK_FOLDER/DONE"; echo 'The capital of France is Paris.'`;
  expect(await world.step(run, [scriptAgent(says)])).toMatchObject({ kind: "complete" });
  const { primary_output: primary, metrics } = await reportOf(run);
  expect(primary).toMatchObject({ type: "document", title: "answer.md", opening: "The capital of France is Paris." });
  expect(metrics).toMatchObject({ total_cost_micro_usd: 0, unpriced_calls: 1 });
});

test.each([
  ["a pipe", "mkfifo answer.md"],
  ["a link out of the folder", `echo '*' > .gitignore; ln -s "$JRUN_TASK_FOLDER/outside.md" answer.md`],
  ["a second name of a file", `echo '*' > .gitignore; ln "$JRUN_TASK_FOLDER/outside.md" answer.md`],
])(
  "where an agent puts %s under the name of its answer, nothing is written and nothing is waited for",
  async (_, how) => {
    const run = await world.createRun({ objective: "What is the capital of France?" });
    const outside = path.join(world.taskOf(run).path, "outside.md");
    const says = `touch "$JRUN_TASK_FOLDER/DONE"; echo 'The capital of France is Paris.'`;
    const script = `printf mine > "$JRUN_TASK_FOLDER/outside.md"; ${how}; ${says}`;
    expect(await world.step(run, [scriptAgent(script)])).toMatchObject({ kind: "continue" });
    expect(readFileSync(outside, "utf8")).toBe("mine");
  },
);
