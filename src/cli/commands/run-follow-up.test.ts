import { expect, test } from "vitest";
import { type Answers, errorAnswer } from "../../../test/helpers/cli-host.ts";
import { makeWireRun, runId, runPath, runStaged, type Stage, scenes } from "../../../test/helpers/cli-runs.ts";

/** Runs one command and returns what was wanted of the run that has ended. The new run is the one of the stage. */
async function followUp(args: readonly string[], stage: Stage = { scenes: [scenes.complete] }, host = {}) {
  const sent: unknown[] = [];
  const answers: Answers = {
    [`POST ${runPath}/continue`]: ({ body }) => {
      sent.push(body);
      return makeWireRun({ status: "queued", follows_run_id: runId });
    },
  };
  return { ...(await runStaged(["follow-up", ...args], { answers, ...stage }, host)), sent };
}

test("follow-up sends what is wanted now, and leaves the rest as it was", async () => {
  const { sent, created } = await followUp(["last", "The same in French"]);
  expect(sent).toEqual([{ objective: "The same in French", budgets: {} }]);
  expect(created).toEqual([]);
});

test("follow-up takes limits, approvals and models", async () => {
  const options = ["--max-iterations", "5", "--max-cost", "1.5", "--hard", "--write-mode", "per_write"];
  const { sent } = await followUp([runId, "In French", ...options, "--model", "judge=demo/b"]);
  expect(sent).toEqual([
    {
      objective: "In French",
      budgets: { max_iterations: 5, max_cost_usd: 1.5, hard: true },
      permissions: { write_mode: "per_write" },
      models: { judge: "demo/b" },
    },
  ]);
});

test("follow-up watches the new run to its result, which is alone on stdout", async () => {
  const ran = await followUp(["last", "In French"], { scenes: [scenes.start, scenes.complete] });
  expect(ran.code).toBe(0);
  expect(ran.words).toMatch(/^Started\. Ctrl-C stops watching; the run continues\.\n17:40:01 {2}Started\n/);
  expect(ran.out).toContain("The plan is made.");
  expect(ran.closed).toEqual(["working"]);
});

test("with --json follow-up prints the run as it ended", async () => {
  const ran = await followUp(["last", "In French", "--json"]);
  expect(JSON.parse(ran.out)).toMatchObject({ id: runId, status: "completed" });
});

test("with --detach follow-up prints the id and returns", async () => {
  const ran = await followUp(["last", "In French", "--detach"], {});
  expect(ran).toMatchObject({ code: 0, out: `${runId}\n`, closed: ["plain"] });
  expect(ran.words).toContain(`Page: http://server.test/homework/runs/${runId}`);
});

test("follow-up reads what is wanted from stdin", async () => {
  const terminal = { readInput: async () => "In French\n" };
  const { sent } = await followUp(["last", "-"], { scenes: [scenes.complete] }, { terminal });
  expect(sent).toEqual([{ objective: "In French", budgets: {} }]);
});

test("follow-up without an objective says how to give one, and asks the server nothing", async () => {
  const ran = await followUp(["last"]);
  expect(ran).toMatchObject({ code: 2, sent: [] });
  expect(ran.words).toContain('Say what you want done: homework follow-up "');
});

test("a run that is still going is refused with what to do", async () => {
  const answers = {
    [`POST ${runPath}/continue`]: () =>
      errorAnswer(409, "wrong_status", "The run is still going. Add guidance instead."),
  };
  const ran = await runStaged(["follow-up", "last", "In French"], { answers });
  expect(ran.code).not.toBe(0);
  expect(ran.words).toContain("The run is still going. Add guidance instead.");
});
