// Iterations of the agent engine, each a real process under its shim, on a real database.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { agentWorld, scriptAgent } from "../../../test/helpers/agent-world.ts";
import { respond, steer } from "../../domain/run/commands.ts";
import type { Run } from "../../domain/run/run.ts";
import { listRuns } from "../../runner/layout/runner-root.ts";

const world = await agentWorld();

const done = 'touch "$JRUN_TASK_FOLDER/DONE"; echo finished';
const promptOf = (run: Run, n: number) => {
  const folder = listRuns(world.root, world.taskOf(run)).at(n);
  return JSON.parse(readFileSync(path.join(folder?.path ?? "", "prompt.md"), "utf8"));
};
const reportOf = async ({ id }: Run) =>
  (await world.admin.query("select report from homework.homework_runs where id = $1", [id])).rows[0].report;

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
});

test("without DONE it is started again, and the prompt has all that the user said", async () => {
  const run = await world.createRun();
  expect(await world.step(run, [scriptAgent("echo one > one.txt; echo not yet")])).toMatchObject({ kind: "continue" });
  await world.command(run, (now) => steer(now, "Make it two lines."));
  await world.command(run, (now) => steer(now, "And in French."));
  expect(await world.step(run, [scriptAgent(`echo two > two.txt; ${done}`)])).toMatchObject({ kind: "complete" });
  expect(promptOf(run, 1)).toMatchObject({
    restart: 1,
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
  await expect.poll(() => existsSync(starts), { timeout: 30_000 }).toBe(true);
  stop.abort(new Error("this worker stops"));
  expect(await first).toBe("aborted");
  writeFileSync(gate, "");
  expect(await world.step(run, [agent], { isAgain: true })).toMatchObject({ kind: "complete" });
  expect(readFileSync(starts, "utf8")).toBe("started\n");
  const ledger = await world.admin.query("select role, model from homework.llm_usage_logs where run_id = $1", [run.id]);
  expect(ledger.rows.length).toBeLessThanOrEqual(1);
  expect(listRuns(world.root, world.taskOf(run))).toHaveLength(1);
});

test("an objective that is a question: the agent's last words are the result", async () => {
  const run = await world.createRun({ objective: "What is the capital of France?" });
  const says = `touch "$JRUN_TASK_FOLDER/DONE"; echo 'The capital of France is Paris.'`;
  expect(await world.step(run, [scriptAgent(says)])).toMatchObject({ kind: "complete" });
  const { primary_output: primary, metrics } = await reportOf(run);
  expect(primary).toMatchObject({ type: "document", title: "answer.md", opening: "The capital of France is Paris." });
  expect(metrics).toMatchObject({ total_cost_micro_usd: 0, unpriced_calls: 1 });
});
