import { describe, expect, test } from "vitest";
import { makeTask } from "../../../test/helpers/cli-host.ts";
import { makeReport, runId, runPath, runStaged, scenes } from "../../../test/helpers/cli-runs.ts";
import type { Run, RunReport } from "../../protocol/api.ts";

const projectId = "0198c2a4-0000-7000-8000-000000000001";
const documentId = "0198c2b7-0000-7000-8000-00000000000d";
const taskId = makeTask().id;
const document = (change: object = {}) =>
  makeTask({
    id: documentId,
    kind: "document",
    title: "Floor plan",
    content: "# Floor plan\n\nThe **sink** moves.",
    ...change,
  });
const primary = {
  type: "document",
  id: documentId,
  title: "Floor plan",
  project_id: projectId,
  change: "created" as const,
  opening: "The sink moves.",
};
const done = (change: object = {}): Partial<Run> => ({
  status: "completed",
  report: makeReport({ primary_output: primary, open_questions: ["Gas or induction?"], ...change }),
});
const output = (id: string, kind: string, change: object = {}) => ({
  id,
  op: "created",
  kind,
  project_id: projectId,
  title: "x",
  first_iteration: 1,
  last_iteration: 1,
  writes: 1,
  is_there: true,
  is_gone: false,
  is_bookkeeping: false,
  at: "2030-03-17T17:40:00Z",
  ...change,
});
const answers = (page: object = {}) => ({
  [`GET /api/projects/${projectId}/documents/${documentId}`]: () => document(page),
  [`GET /api/projects/${projectId}/tasks/${taskId}`]: () => makeTask({ due_at: "2030-04-01T00:00:00Z" }),
  [`GET ${runPath}/outputs`]: () => ({
    items: [output(taskId, "task"), output(documentId, "document"), output(projectId, "project")],
    next_cursor: null,
  }),
});
const onScreen = { terminal: { columns: 40 } };

describe("the result of a run", () => {
  test("is the main output itself, then what is open, checks and cost", async () => {
    const ran = await runStaged(["result", "last"], { run: done(), answers: answers() }, onScreen);
    const line = "─".repeat(40);
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.out).toBe(`✓ Homework complete: Plan my kitchen

The plan is made.

Floor plan
${line}
The sink moves.
${line}

Created: 1 document
• Floor plan

Open questions
• Gas or induction?

1 of 1 check passed
$0.01 · 2m 05s active
`);
  });

  test("stays Markdown in a pipe", async () => {
    const ran = await runStaged(["result", "last"], { run: done(), answers: answers() });
    expect(ran.out).toContain("\nFloor plan\n\nThe **sink** moves.\n");
  });

  const long = { content: Array.from({ length: 90 }, (_, at) => `- item ${at}`).join("\n") };

  test("is cut on a screen at the end of a run, and says how to read on", async () => {
    const run = { run: done(), answers: answers(long) };
    const watched = await runStaged(["watch", "last"], run, onScreen);
    expect(watched.out).toContain("• item 59\n\n… 30 more lines. Read on: homework result last\n");
    expect((await runStaged(["watch", "last"], run)).out).toContain("- item 89\n");
    expect((await runStaged(["result", "last"], run, onScreen)).out).toContain("• item 89\n");
  });

  test("is told by the report where the main output is gone", async () => {
    const ran = await runStaged(["result", "last"], { run: done() }, onScreen);
    expect(ran.out).toContain("The sink moves.\n");
  });

  test("names checks that failed, with what was seen", async () => {
    const checks = [
      { check: "a", about: "has 300 words", is_green: false, state: "failed" as const, seen: "12 words" },
      { check: "b", about: "has a table", is_green: false, state: "pending" as const, seen: "" },
      { check: "c", about: "has a title", is_green: true, state: "passed" as const, seen: "" },
    ];
    const ran = await runStaged(["result", "last"], { run: done({ checks }), answers: answers() });
    expect(ran.out).toContain("\n1 of 3 checks passed, 1 pending\n✗ has 300 words: 12 words\n$");
  });

  test("says that no command looked at what an agent wrote", async () => {
    const work = {
      ...{ repository: null, branch: "b", files: [], file_count: 1 },
      commits: [],
      facts: [],
      noticed: [],
      agents: [],
    };
    const told = async (given: Partial<RunReport>) => {
      const ran = await runStaged(["result", "last"], { run: done(given), answers: answers() });
      return ran.out.includes("No command was run to check this.");
    };
    expect(await told({ work })).toBe(true);
    expect(await told({})).toBe(false);
  });

  test("says why a run stopped", async () => {
    const report = {
      status: "stopped",
      title: "Homework stopped",
      stopping_reason: { type: "budget", detail: "All spent" },
    };
    const ran = await runStaged(["result", "last"], {
      run: { ...done(report), status: "stopped" },
      answers: answers(),
    });
    expect(ran.out).toMatch(/^■ Homework stopped\n {2}All spent\n/);
  });

  test("is not there before the run has ended", async () => {
    const ran = await runStaged(["result", "last"], { run: { status: "running" } });
    expect(ran).toMatchObject({ code: 5, words: expect.stringContaining(`homework watch ${runId}`) });
  });
});

/** A folder in memory. */
function folder(before: Readonly<Record<string, string>> = {}) {
  const kept = new Map(Object.entries(before));
  const files = {
    makeFolder: async () => {},
    exists: async (at: string) => kept.has(at),
    readText: async (at: string) => kept.get(at) ?? "",
    writeNew: async (at: string, text: string) => !kept.has(at) && Boolean(kept.set(at, text)),
  };
  return { files, kept };
}

describe("--out", () => {
  const stage = { run: done(), answers: answers() };

  test("writes what was made and the report as Markdown, and says so", async () => {
    const { files, kept } = folder();
    const ran = await runStaged(["result", "last", "--out", "kitchen"], stage, { files });
    expect(ran.words).toBe("Wrote 3 files to kitchen:\n  Report.md\n  Floor plan.md\n  Tasks.md\n");
    expect(kept.get("/home/kitchen/Floor plan.md")).toBe("# Floor plan\n\nThe **sink** moves.\n");
    expect(kept.get("/home/kitchen/Tasks.md")).toBe("# Tasks\n\n- [ ] Measure the walls (due 2030-04-01)\n");
    expect(kept.get("/home/kitchen/Report.md")).toMatch(/^# Homework complete: Plan my kitchen\n/);
  });

  test("overwrites nothing: another text gets another name, the same text stays", async () => {
    const { files, kept } = folder({
      "/home/k/Floor plan.md": "mine",
      "/home/k/Tasks.md": "# Tasks\n\n- [ ] Measure the walls (due 2030-04-01)\n",
    });
    const ran = await runStaged(["result", "last", "--out", "k"], stage, { files });
    expect(ran.words).toBe(
      "Wrote 2 files to k:\n  Report.md\n  Floor plan 2.md (renamed, because another file has that name)\n  Tasks.md (unchanged)\n",
    );
    expect(kept.get("/home/k/Floor plan.md")).toBe("mine");
    // The report leads to the file as it is named now.
    expect(kept.get("/home/k/Report.md")).toContain("](Floor%20plan%202.md)");
    const again = await runStaged(["result", "last", "--out", "k"], stage, { files });
    expect(again.words).toMatch(
      /^Nothing new for k:\n {2}Report\.md \(unchanged\)\n {2}Floor plan 2\.md \(unchanged\)\n/,
    );
  });

  test("of run and watch writes the files beside the result", async () => {
    for (const args of [
      ["run", "Plan"],
      ["watch", "last"],
    ]) {
      const { files, kept } = folder();
      const scene = { ...scenes.complete, run: done() };
      const ran = await runStaged([...args, "-o", "/tmp/k"], { scenes: [scene], answers: answers() }, { files });
      expect([...kept.keys()]).toEqual(["/tmp/k/Report.md", "/tmp/k/Floor plan.md", "/tmp/k/Tasks.md"]);
      expect(ran.out).toMatch(/^✓ Homework complete/);
      expect(ran.words).toContain("Wrote 3 files to /tmp/k:\n");
    }
  });

  test("with --json is the list of files", async () => {
    const { files } = folder();
    const ran = await runStaged(["result", "last", "--out", "k", "--json"], stage, { files });
    expect(JSON.parse(ran.out)).toMatchObject({
      folder: "/home/k",
      files: [{ name: "Report.md", how: "new" }, {}, {}],
    });
  });

  test("leaves out what was deleted since", async () => {
    const { files, kept } = folder();
    const gone = { items: [output(documentId, "document", { is_there: false })], next_cursor: null };
    const outputs = { ...answers(), [`GET ${runPath}/outputs`]: () => gone };
    await runStaged(["result", "last", "--out", "k"], { run: done(), answers: outputs }, { files });
    expect([...kept.keys()]).toEqual(["/home/k/Report.md"]);
  });
});
