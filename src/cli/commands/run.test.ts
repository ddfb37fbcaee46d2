import { describe, expect, test } from "vitest";
import { makeProject } from "../../../test/helpers/cli-host.ts";
import { makeEvent, makeReport, runId, runStaged, type Scene, scenes } from "../../../test/helpers/cli-runs.ts";
import type { Run } from "../../protocol/api.ts";

const report = makeReport();
const begin = [scenes.start, scenes.iterate, scenes.entry];

describe("run", () => {
  test("hands over what was given", async () => {
    const args = "--max-iterations 5 --max-minutes 10 --max-cost 1.5 --hard --write-mode approve_plan".split(" ");
    const ran = await runStaged(["run", "Plan my kitchen", "-p", "Kitchen", ...args], { scenes: [scenes.complete] });
    expect(ran.created).toEqual([
      {
        objective: "Plan my kitchen",
        scope: "project",
        project_ids: [makeProject().id],
        budgets: { max_iterations: 5, max_wall_clock_ms: 600_000, max_cost_usd: 1.5, hard: true },
        time_zone: "UTC",
        permissions: { write_mode: "approve_plan" },
      },
    ]);
  });

  test("can be left unjudged", async () => {
    const ran = await runStaged(["run", "Plan", "--no-judge"], { scenes: [scenes.complete] });
    expect(ran.created).toMatchObject([{ judge: false }]);
  });

  test("can name its engine, which the server refuses where it is not installed", async () => {
    const ran = await runStaged(["run", "Plan", "--engine", "agent"], { scenes: [scenes.complete] });
    expect(ran.created).toMatchObject([{ engine: "agent" }]);
  });

  test("without options leaves everything to the server", async () => {
    const ran = await runStaged(["run", "Plan"], { scenes: [scenes.complete] });
    expect(ran.created).toEqual([{ objective: "Plan", project_ids: [], budgets: {}, time_zone: "UTC" }]);
  });

  test("tells events as words and ends with the report alone on stdout", async () => {
    const ran = await runStaged(["run", "Plan my kitchen"], { scenes: [...begin, scenes.complete] });
    expect(ran.code).toBe(0);
    expect(ran.words).toBe(
      [
        `Run ${runId}; Ctrl-C leaves it.`,
        "17:40:01  started",
        "17:40:02  iteration 1 started",
        "17:40:03  iteration 1: 3 steps [31m",
        "17:40:09  completed: 1 of 1 checks are green",
        `Look at it at http://server.test/homework/runs/${runId}`,
        "",
      ].join("\n"),
    );
    expect(ran.out).toBe(`Homework complete: Plan my kitchen

The plan is made.

Checks: 1 of 1 check passed
  passed  document_has: 412 words below 3 headings

Created: 1 document
  document Floor plan (0198c2b7-1)

$0.0123 · 12,345 tokens · 2m 05s active · 2 iterations · 1 tool call · The check passed
`);
  });

  test("with --json prints the run as it ended, once, and no words", async () => {
    const ran = await runStaged(["run", "Plan", "--json"], { scenes: [...begin, scenes.complete] });
    expect(ran).toMatchObject({ code: 0, words: "" });
    expect(JSON.parse(ran.out)).toMatchObject({ id: runId, status: "completed", report: { title: report.title } });
  });

  test("with --quiet says nothing but the report", async () => {
    const ran = await runStaged(["run", "Plan", "-q"], { scenes: [...begin, scenes.complete] });
    expect(ran.words).toBe("");
    expect(ran.out).toMatch(/^Homework complete/);
  });

  test("works itself for as long as it follows, and lets go in the end", async () => {
    expect((await runStaged(["run", "Plan"], { scenes: [scenes.complete], server: null })).closed).toEqual(["working"]);
  });

  describe("ends with the number of how the run ended", () => {
    const ending = (type: string, fields: object, status: Run["status"]): readonly Scene[] => [
      { event: makeEvent(1, type, { iteration: 1, why: "w", ...fields }), run: { status } },
    ];
    test.each([
      ["completed", 0, ending("run_completed", {}, "completed")],
      ["stopped", 20, ending("run_stopped", { reason: "cost" }, "stopped")],
      ["failed", 21, ending("run_failed", {}, "failed")],
      ["canceled", 22, ending("run_canceled", {}, "canceled")],
      ["waiting_on_user", 23, [scenes.wait]],
    ])("%s: %i", async (_, code, script) =>
      expect((await runStaged(["run", "Plan"], { scenes: script })).code).toBe(code),
    );
  });

  test("says how a stopped run goes on", async () => {
    const stops = { event: makeEvent(1, "run_stopped", { iteration: 1, reason: "cost", why: "w" }) };
    const ran = await runStaged(["run", "Plan"], { scenes: [{ ...stops, run: { status: "stopped" } }] });
    expect(ran.words).toContain(`Go on with: homework resume ${runId}\n`);
  });
});

describe("an objective", () => {
  const check = async (args: readonly string[], objective: string) => {
    const files = { readText: async (path: string) => `from ${path}\n`, exists: async () => true };
    const terminal = { readInput: async () => "from stdin\n" };
    const ran = await runStaged(["run", ...args], { scenes: [scenes.complete] }, { files, terminal });
    expect(ran.created).toMatchObject([{ objective }]);
  };
  test("comes from a file", () => check(["--file", "o.md"], "from o.md"));
  test("comes from stdin", () => check(["-"], "from stdin"));
  test("comes from stdin as a file", () => check(["-f", "-"], "from stdin"));

  const refuse = async (args: readonly string[], words: string) => {
    const ran = await runStaged(["run", ...args]);
    expect(ran).toMatchObject({ code: 2, words: expect.stringContaining(words), created: [] });
  };
  test("has to be there", () => refuse([], 'Say what is to be done: homework run "…"'));
  test("has to say something", () => refuse(["  "], "Say what is to be done"));
  test("has to come from one place", () => refuse(["x", "-f", "y"], "not by both"));
  test("has an end", () => refuse(["x".repeat(32_001)], "put the long part into a document"));
  test("cannot have a hard limit of nothing", () => refuse(["x", "--hard"], "give it with --max-cost"));
  test("cannot cost nothing", () => refuse(["x", "--max-cost", "0"], "Give dollars such as 1.50"));
});

describe("run --detach", () => {
  test("prints the id alone on stdout, says where to see it, and works on nothing", async () => {
    const ran = await runStaged(["run", "Plan", "--detach"]);
    expect(ran).toMatchObject({ code: 0, out: `${runId}\n`, closed: ["plain"] });
    expect(ran.words).toBe(
      `See it at http://server.test/homework/runs/${runId}\nFollow it with: homework watch ${runId}\n`,
    );
  });

  test("says that nobody works on it yet where no server runs", async () => {
    const ran = await runStaged(["run", "Plan", "--detach"], { server: null });
    expect(ran.words).toContain("it begins when Homework is started, with: homework start");
  });

  test("with --json prints id and address", async () => {
    const ran = await runStaged(["run", "Plan", "--detach", "--json"]);
    expect(JSON.parse(ran.out)).toEqual({
      run_id: runId,
      status: "queued",
      place_in_line: null,
      url: `http://server.test/homework/runs/${runId}`,
    });
  });
});
