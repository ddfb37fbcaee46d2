import { describe, expect, test } from "vitest";
import {
  askedQuestion,
  makeEvent,
  makeIteration,
  makeReport,
  makeWireRun,
  runId,
  runPath,
  runStaged,
  scenes,
} from "../../../test/helpers/cli-runs.ts";
import type { Run } from "../../protocol/api.ts";

const listing = (...items: readonly unknown[]) => ({
  "GET /api/homework/runs": () => ({ items, next_cursor: null }),
});
const dear = makeWireRun({
  id: "0198c2a4-1000-7000-8000-000000000002",
  objective: "Paint\nthe \u001b[31mfence",
  status: "waiting_on_user",
  iteration: 3,
  metrics: {
    running_ms: 125_000,
    tokens_total: 1,
    cost_total_micro_usd: 12_300,
    tool_calls_total: 0,
    unpriced_calls: 0,
  },
});

describe("list", () => {
  test("shows a table", async () => {
    const ran = await runStaged(["list"], { answers: listing(dear, makeWireRun()) });
    expect(ran).toMatchObject({ code: 0, words: "" });
    expect(ran.out).toBe(
      [
        "ID          STATUS     ITERATION  TIME    COST   CHANGED       OBJECTIVE",
        "0198c2a4-1  needs you  3/20       2m 05s  $0.01  1 minute ago  Paint the  [31mfence",
        "0198c2a4-0  running    1/20       0s      $0.00  1 minute ago  Plan my kitchen",
        "",
      ].join("\n"),
    );
  });

  test("with --json prints a run on each line", async () => {
    const ran = await runStaged(["list", "--json"], { answers: listing(dear, makeWireRun()) });
    const lines = ran.out.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).id)).toEqual([dear.id, runId]);
  });

  test("asks for a status", async () => {
    const ran = await runStaged(["list", "--status", "failed", "--all"], { answers: listing() });
    expect(ran.requests).toEqual(["GET /api/homework/runs?limit=200&status=failed"]);
    expect(ran.words).toBe("No run has the status “failed”.\n");
  });

  test("says how to begin where there is nothing", async () => {
    const ran = await runStaged(["list"], { answers: listing() });
    expect(ran).toMatchObject({ code: 0, out: "", words: 'No runs yet: homework run "what you want done"\n' });
  });
});

describe("a run is named", () => {
  const runs = listing(dear, makeWireRun());
  const found = async (ref: string | null, answers = runs) =>
    runStaged(ref === null ? ["show"] : ["show", ref], { answers });

  test.each([
    ["by its id", runId],
    ["by the start of its id", "0198c2a4-00"],
    ["in any case", "0198C2A4-00"],
    ["as the last one", "last"],
    ["as the last one, shorter", "-"],
    ["not at all: the last one", null],
  ])("%s", async (_, ref) => {
    const ran = await found(ref, listing(makeWireRun()));
    expect(ran).toMatchObject({ code: 0, out: expect.stringContaining(runId) });
  });

  test("by what fits one only; the others are listed", async () => {
    const ran = await found("0198c2a4");
    expect(ran).toMatchObject({ code: 2, out: "" });
    expect(ran.words).toBe(
      `"0198c2a4" fits 2 runs; give more of the id:\n  ${dear.id}  Paint the  [31mfence\n  ${runId}  Plan my kitchen\nHelp: homework show --help\n`,
    );
  });

  test("by something there is", async () => {
    for (const ref of ["ffff", "0198c2a4-9999-7000-8000-000000000009"])
      expect(await found(ref)).toMatchObject({
        code: 3,
        words: `There is no run "${ref}". See yours: homework list --all\n`,
      });
  });

  test("by enough of its id", async () => {
    expect(await found("019")).toMatchObject({ code: 2, words: expect.stringContaining("first 4 characters") });
  });

  test.each(["last", "0198"])("%s means nothing without runs", async (ref) => {
    expect(await found(ref, listing())).toMatchObject({ code: 3, words: expect.stringContaining("No runs yet") });
  });
});

const whole: Partial<Run> = {
  status: "waiting_on_user",
  iteration: 3,
  metrics: {
    running_ms: 125_000,
    tokens_total: 12_345,
    cost_total_micro_usd: 12_300,
    tool_calls_total: 4,
    unpriced_calls: 0,
  },
  budgets: { ...makeWireRun().budgets, max_cost_usd: 1.5, hard: true },
  guidance: { next: "as_planned", why: "Work remains" },
  forecast: {
    running_ms: 60_000,
    tokens_total: 4_000,
    cost_total_micro_usd: 4_100,
    tool_calls_total: 2,
    unpriced_calls: 0,
  },
  questions: [askedQuestion],
  plan: (["done", "in_progress", "pending", "failed", "dropped"] as const).map((status, at) => ({
    id: `s${at}`,
    title: `Step ${at}`,
    status,
    is_optional: at === 4,
    owner: null,
    last_iteration: 1,
    evidence: [],
  })),
  completion_criteria: [
    {
      id: "c1",
      deliverable_id: null,
      kind: "document_has",
      about: "asked for by the user: the documents have at least 300 words",
      words: "the documents have at least 300 words",
      target: { words_at_least: 300, headings: [] },
      given_by: "user",
      proof: { is_green: true, seen: "412 words", artifacts: [], iteration: 2 },
    },
    {
      id: "c2",
      deliverable_id: null,
      kind: "judge",
      about: "a judge agrees: Fair?",
      words: "a judge agrees: Fair?",
      target: { rubric: "Fair?" },
      given_by: "planner",
      proof: null,
    },
  ],
};
const withIterations = (run: Partial<Run>) => ({
  [`GET ${runPath}`]: () => ({
    run: makeWireRun(run),
    iterations: {
      items: [makeIteration({ iteration: 2, status: "failed", error: "No model" }), makeIteration()],
      next_cursor: null,
    },
    events: null,
    workspace: null,
  }),
});

describe("show", () => {
  test("shows how it stands, its plan, checks, questions and last iterations", async () => {
    const ran = await runStaged(["show", "last"], { answers: withIterations(whole) });
    expect(ran.out).toBe(`Objective  Plan my kitchen
Id         ${runId}
Status     needs you, iteration 3 of 20
Why        Work remains
Used       2m 05s, $0.01, 12,345 tokens, 4 tool calls
Limits     20 iterations, 1h 00m, $1.50 (hard)
Next       about 1m 00s, less than $0.01, 4,000 tokens for one more iteration
Approvals  none
Created    10 minutes ago

Plan
  ✓ Step 0
  ▸ Step 1
  ○ Step 2
  ✗ Step 3
  – Step 4 (optional)

Checks
  ✓ The documents have at least 300 words: 412 words · From you
  ○ A judge agrees: Fair? · From the planner

Questions
  Red or blue\ufffd[2J?
    1) red tiles
    2) blue tiles
  Answer with: homework answer ${runId} "your answer"

Last iterations
  NO  STATUS  TIME    COST             WHAT AND WHY
  1   done    1m 05s  less than $0.01  Measured the walls · Work remains
  2   failed  1m 05s  less than $0.01  Measured the walls · No model · Work remains
`);
  });

  test("shows what one said to it, and in which prompts that stood", async () => {
    const at = "2030-03-17T17:40:00Z";
    const place = { iteration: 2, lane: "exec:1", at };
    const said = { id: runId, kind: "steer", at } as const;
    const messages = [
      { ...said, text: "Mind\u001b[2J the stairs", taken_up_in: 2, prompts: { calls: 3, first: place, last: place } },
      { ...said, text: "And the doors", taken_up_in: null, prompts: null },
    ];
    const ran = await runStaged(["show", runId], { answers: withIterations({ messages }) });
    expect(ran.out).toContain(
      "\nGuidance\n  Mind [2J the stairs  (In 3 prompts, from iteration 2 (executor 1))\n  And the doors  (Pending)\n",
    );
  });

  test("shows how a very long objective begins", async () => {
    const ran = await runStaged(["show", runId], { answers: withIterations({ objective: "x ".repeat(9_000) }) });
    expect(ran.out.split("\n")[0]).toHaveLength("Objective  ".length + 400);
  });

  test("with --json prints the run with its last iterations", async () => {
    const ran = await runStaged(["show", runId, "--json"], { answers: withIterations({}) });
    expect(JSON.parse(ran.out)).toMatchObject({ id: runId, status: "running", iterations: [{ iteration: 2 }, {}] });
  });

  test("says why it stopped, where it waits in line, and what it came from", async () => {
    const check = async (run: Partial<Run>, line: string) =>
      expect((await runStaged(["show", runId], { answers: withIterations(run) })).out).toContain(line);
    await check(
      { status: "stopped", stop_reason: { type: "cost", detail: "All of it used" } },
      "stopped, iteration 1 of 20\nWhy        All of it used\n",
    );
    await check(
      { status: "stopped", stop_reason: { type: "paused", detail: "By you" } },
      "paused, iteration 1 of 20\n",
    );
    await check({ status: "queued", place_in_line: 2 }, "queued, number 2 in the queue, iteration 1 of 20\n");
    await check({ follows_run_id: dear.id }, `Follows    ${dear.id}\n`);
    await check({ forked_from: { run_id: dear.id, iteration: 4 } }, `from iteration 4 of ${dear.id}\n`);
    await check(
      { hold: { until: "2030-03-17T18:00:00Z", why: "429" } },
      "waiting for the model provider until 18:00 UTC",
    );
  });
});

test("a check that does not pass is pending while the run works, and failed once it was due", async () => {
  const [green] = whole.completion_criteria ?? [];
  const red = green && { ...green, proof: { is_green: false, seen: "12 words", artifacts: [], iteration: 1 } };
  const check = async (run: Partial<Run>, line: string) => {
    const criteria = { completion_criteria: red ? [red] : [] };
    expect((await runStaged(["show", runId], { answers: withIterations({ ...criteria, ...run }) })).out).toContain(
      line,
    );
  };
  const rejected = { kind: "claim_rejected", text: "Not done", count: 1, limit: 3 } as const;
  await check({ status: "waiting_on_user" }, "\n  ○ The documents have at least 300 words · From you\n");
  await check({ status: "canceled" }, "\n  ○ The documents have at least 300 words · From you\n");
  await check({ status: "running" }, "\n  ○ The documents have at least 300 words · From you\n");
  await check(
    { status: "running", warnings: [rejected] },
    "\n  ✗ The documents have at least 300 words: 12 words · From you\n",
  );
  await check({ status: "failed" }, "\n  ✗ The documents have at least 300 words: 12 words · From you\n");
});

const opened = {
  ...{ id: "1/a", kind: "page", title: "Kitchens", url: "https://kitchens.example/plans", state: "opened", why: null },
  ...{ results: null, iteration: 1, at: "2030-03-17T17:00:00Z" },
};
const missed = { ...opened, id: "1/b", title: "", url: "https://gone.example/", state: "failed", why: "it is gone" };

describe("report", () => {
  const ended = { run: { status: "completed" as const, report: makeReport({ summary: "Done\u001b[2J." }) } };

  test("is shown without anything that steers the terminal", async () => {
    const ran = await runStaged(["report", "last"], ended);
    expect(ran).toMatchObject({ code: 0, out: expect.stringContaining("Done\ufffd[2J.") });
  });

  test("is Markdown with --md", async () => {
    expect((await runStaged(["report", "last", "--md"], ended)).out).toMatch(/^# Homework complete.*\n## Cost\n/s);
  });

  test("leads to the server's pages, and without a server to their paths", async () => {
    const place = "/projects/0198c2a0-1/documents/0198c2b7-1";
    const md = ["report", "last", "--md"];
    expect((await runStaged(md, ended)).out).toContain(`[Floor plan](http://server.test${place})`);
    expect((await runStaged(md, { ...ended, server: null })).out).toContain(`[Floor plan](${place})`);
  });

  test("shows the result before anything else", async () => {
    const [created] = makeReport().what_changed.created;
    const primary_output = created ? { ...created, change: "created" as const, opening: "The sink moves." } : null;
    const { out } = await runStaged(["report", "last"], {
      run: { status: "completed", report: makeReport({ primary_output, open_questions: ["Gas?"] }) },
    });
    const places = ["Floor plan (document)", "The sink moves.", "The plan is made.", "Gas?", "1 of 1 check passed"];
    expect(places.map((words) => out.indexOf(words))).toEqual(
      places.map((words) => out.indexOf(words)).toSorted((a, b) => a - b),
    );
    expect(places.filter((words) => !out.includes(words))).toEqual([]);
  });

  test("has ids with --verbose only", async () => {
    expect((await runStaged(["report", "last"], ended)).out).toContain("  document “Floor plan”\n");
    expect((await runStaged(["report", "last", "-v"], ended)).out).toContain("  document “Floor plan” (0198c2b7-1)\n");
  });

  test("is one value with --json", async () => {
    const ran = await runStaged(["report", "last", "--json"], ended);
    expect(JSON.parse(ran.out)).toEqual({ ...ended.run.report, sources: [] });
  });

  test("names the web pages that the run opened", async () => {
    const answers = { [`GET ${runPath}/sources`]: () => ({ items: [opened, missed], next_cursor: null }) };
    const { out } = await runStaged(["report", "last"], { ...ended, answers });
    expect(out).toContain("Sources\n  Kitchens  https://kitchens.example/plans\n");
    expect(out).not.toContain("gone.example");
    const md = await runStaged(["report", "last", "--md"], { ...ended, answers });
    expect(md.out).toContain("## Sources\n\n- [Kitchens](https://kitchens.example/plans), kitchens.example\n");
  });

  test("of a run that has not ended is in conflict with that", async () => {
    const ran = await runStaged(["report", "last"], { run: { status: "running" } });
    expect(ran).toMatchObject({ code: 5, out: "", words: expect.stringContaining(`homework watch ${runId}`) });
  });
});

describe("events", () => {
  const history = [scenes.start, scenes.iterate, scenes.entry].map(({ event }) => event);
  const paged = {
    [`GET ${runPath}`]: ({ query }: { query: Readonly<Record<string, string>> }) => {
      const since = Number(query.events_since_seq);
      const items = history.filter(({ seq }) => seq > since).slice(0, 2);
      const next_since_seq = since + 2 < history.length ? since + 2 : null;
      return {
        run: makeWireRun(),
        iterations: null,
        events: { items, next_since_seq },
        usage: [],
        outcome_task: null,
        workspace: null,
      };
    },
  };

  test("are shown from the beginning, page by page", async () => {
    const ran = await runStaged(["events", "last"], { answers: paged });
    expect(ran.out).toBe(
      "    1  17:40:01  Started\n    2  17:40:02  Iteration 1 started\n    3  17:40:03  3 steps [31m\n",
    );
  });

  test("begin after --since, a JSON value a line with --json", async () => {
    const ran = await runStaged(["events", "last", "--since", "1", "--json"], { answers: paged });
    expect(
      ran.out
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(history.slice(1));
  });

  test("go on with --follow until the run is over", async () => {
    const stops = { event: makeEvent(5, "run_stopped", { iteration: 1, reason: "paused", why: "You paused it" }) };
    const script = [scenes.start, stops, scenes.complete];
    const ran = await runStaged(["events", "last", "--follow"], { scenes: script });
    expect(ran).toMatchObject({ code: 0, closed: ["plain"] });
    expect(ran.out.trimEnd().split("\n")).toHaveLength(3);
  });

  test("go on until Ctrl-C, which is no failure", async () => {
    const stop = new AbortController();
    const script = [scenes.start, () => stop.abort()];
    const ran = await runStaged(["events", "last", "--follow"], { scenes: script }, { stop: stop.signal });
    expect(ran).toMatchObject({ code: 0, out: "    1  17:40:01  Started\n" });
  });

  test("of a run that is over do not go on", async () => {
    const ran = await runStaged(["events", "last", "--follow"], { run: { status: "completed" } });
    expect(ran).toMatchObject({ code: 0, out: "" });
  });
});
