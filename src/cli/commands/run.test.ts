import { describe, expect, test } from "vitest";
import { makeProject } from "../../../test/helpers/cli-host.ts";
import {
  makeEvent,
  makeReport,
  makeWireRun,
  runId,
  runStaged,
  type Scene,
  scenes,
} from "../../../test/helpers/cli-runs.ts";
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

  test("tells events as words and ends with the result alone on stdout", async () => {
    const ran = await runStaged(["run", "Plan my kitchen"], { scenes: [...begin, scenes.complete] });
    expect(ran.code).toBe(0);
    expect(ran.words).toBe(
      [
        "Started. Ctrl-C stops watching; the run continues.",
        "17:40:01  Started",
        "17:40:02  Iteration 1 started",
        "17:40:03  3 steps [31m",
        "17:40:09  Completed: 1 of 1 checks are green",
        "",
        "Report   homework report last",
        "Files    homework result last --out FOLDER",
        `Next     homework follow-up last "…"`,
        `Page     http://server.test/homework/runs/${runId}`,
        "",
      ].join("\n"),
    );
    expect(ran.out).toBe(`✓ Homework complete: Plan my kitchen

The plan is made.

Created: 1 document
• Floor plan

1 of 1 check passed
$0.01 · 2m 05s active
`);
  });

  test("with --json prints the run as it ended, once, and no words", async () => {
    const ran = await runStaged(["run", "Plan", "--json"], { scenes: [...begin, scenes.complete] });
    expect(ran).toMatchObject({ code: 0, words: "" });
    expect(JSON.parse(ran.out)).toMatchObject({ id: runId, status: "completed", report: { title: report.title } });
  });

  test("with --quiet says nothing but the result", async () => {
    const ran = await runStaged(["run", "Plan", "-q"], { scenes: [...begin, scenes.complete] });
    expect(ran.words).toBe("");
    expect(ran.out).toMatch(/^✓ Homework complete/);
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
});

describe("run --check", () => {
  test("gives an agent commands that must succeed", async () => {
    const args = ["--engine", "agent", "--check", "npm test", "--check", '["sh", "check all.sh"]', "--no-folder"];
    const ran = await runStaged(["run", "Mend it", ...args], { scenes: [scenes.complete] });
    expect(ran.created).toMatchObject([
      {
        completion_criteria: [
          { kind: "command_succeeds", program: "npm", args: ["test"] },
          { kind: "command_succeeds", program: "sh", args: ["check all.sh"] },
        ],
      },
    ]);
  });

  test("refuses a command where no agent has a folder to run it in", async () => {
    const ran = await runStaged(["run", "Plan", "--check", "npm test"], { scenes: [scenes.complete] });
    expect(ran).toMatchObject({ code: 2, created: [], words: expect.stringContaining("add --engine agent") });
  });
});

test("run hands over texts of others by the names of their files, and - is stdin", async () => {
  const host = {
    files: { readText: async (file: string) => `text of ${file}` },
    terminal: { readInput: async () => "typed" },
  };
  const args = ["run", "What do they want?", "--foreign", "in/mail.txt", "--foreign", "-"];
  const ran = await runStaged(args, { scenes: [scenes.complete] }, host);
  expect(ran.created).toMatchObject([
    {
      foreign_texts: [
        { title: "mail.txt", text: "text of in/mail.txt" },
        { title: "", text: "typed" },
      ],
    },
  ]);
});

test("run refuses a text of others that has no room, and says what to do", async () => {
  const host = { files: { readText: async () => "x".repeat(32_001) } };
  const ran = await runStaged(["run", "Read", "--foreign", "log.txt"], { scenes: [scenes.complete] }, host);
  expect(ran).toMatchObject({ code: 2, created: [] });
  expect(ran.words).toContain("homework doc create TITLE --file FILE --foreign");
});

test("run says how a stopped run goes on", async () => {
  const stops = { event: makeEvent(1, "run_stopped", { iteration: 1, reason: "cost", why: "w" }) };
  const ran = await runStaged(["run", "Plan"], { scenes: [{ ...stops, run: { status: "stopped" } }] });
  expect(ran.words).toContain("\nResume   homework resume last\n");
});

describe("the id of a run", () => {
  test("names a run that is not the last one by its id", async () => {
    const other = makeWireRun({ id: "0198c2a4-1000-7000-8000-000000000002" });
    const answers = { "GET /api/homework/runs": () => ({ items: [other], next_cursor: null }) };
    const ran = await runStaged(["run", "Plan"], { scenes: [scenes.complete], answers });
    expect(ran.words).toContain(`\nReport   homework report ${runId}\n`);
  });

  test("with --verbose says the id", async () => {
    const ran = await runStaged(["run", "Plan", "--verbose"], { scenes: [scenes.complete] });
    expect(ran.words).toContain(`Run id: ${runId}\n`);
  });
});

describe("an objective", () => {
  const check = async (args: readonly string[], objective: string) => {
    const files = { readText: async (path: string) => `from ${path}\n`, exists: async () => true };
    const terminal = { readInput: async () => "from stdin\n" };
    const ran = await runStaged(["run", ...args], { scenes: [scenes.complete] }, { files, terminal });
    expect(ran.created).toMatchObject([{ objective }]);
  };
  test("is any word behind --", () => check(["--", "list"], "list"));
  test("may begin like an option behind --", () => check(["--", "--verbose"], "--verbose"));
  test("comes from a file", () => check(["--file", "o.md"], "from o.md"));
  test("comes from stdin", () => check(["-"], "from stdin"));
  test("comes from stdin as a file", () => check(["-f", "-"], "from stdin"));

  const refuse = async (args: readonly string[], words: string) => {
    const ran = await runStaged(["run", ...args]);
    expect(ran).toMatchObject({ code: 2, words: expect.stringContaining(words), created: [] });
  };
  test("is not the name of a command", () =>
    refuse(["list"], "“list” is a command: homework list\nTo use it as an objective: homework run -- list\n"));
  test("has to be there", () => refuse([], 'Say what you want done: homework run "…"'));
  test("has to say something", () => refuse(["  "], "Say what you want done"));
  test("has to come from one place", () => refuse(["x", "-f", "y"], "not both"));
  test("has an end", () => refuse(["x".repeat(32_001)], "Put the long part into a document"));
  test("cannot have a hard limit of nothing", () => refuse(["x", "--hard"], "give it with --max-cost"));
  test("cannot cost nothing", () => refuse(["x", "--max-cost", "0"], "Give dollars such as 1.50"));
});

describe("run --detach", () => {
  test("prints the id alone on stdout, says where to see it, and works on nothing", async () => {
    const ran = await runStaged(["run", "Plan", "--detach"]);
    expect(ran).toMatchObject({ code: 0, out: `${runId}\n`, closed: ["plain"] });
    expect(ran.words).toBe(
      `Page: http://server.test/homework/runs/${runId}\nFollow the run with: homework watch ${runId}\n`,
    );
  });

  test("says what starts it where no server runs", async () => {
    const ran = await runStaged(["run", "Plan", "--detach"], { server: null });
    expect(ran.words).toContain("Homework is not running. The run starts with: homework start");
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
