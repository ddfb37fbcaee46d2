import { describe, expect, test } from "vitest";
import { runInTest, untilAborted } from "../../../test/helpers/cli-host.ts";
import {
  makeEvent,
  makeReport,
  makeWireRun,
  runPath,
  runStaged,
  scenes,
  staging,
} from "../../../test/helpers/cli-runs.ts";
import type { Instant } from "../../lib/env.ts";

const begin = [scenes.start, scenes.iterate, scenes.entry];

const backUp = "\r\u001b[";

/** What the terminal shows after each thing that was written. */
function screen() {
  let lines: string[] = [""];
  const shown: string[] = [];
  const write = (text: string) => {
    const up = text.startsWith(backUp) ? Number.parseInt(text.slice(backUp.length), 10) : 0;
    const fresh = up === 0 ? text : text.slice(`${backUp}${up}A\u001b[0J`.length);
    const kept = up === 0 ? lines : [...lines.slice(0, lines.length - 1 - up), ""];
    lines = `${kept.join("\n")}${fresh}`.split("\n");
    shown.push(lines.join("\n"));
  };
  return { write, shown };
}

const paid = makeEvent(4, "iteration_cost_update", {
  iteration: 1,
  model: "m",
  cost_micro_usd: 12_300,
  tokens: 12_345,
  total_cost_micro_usd: 12_300,
  total_tokens: 12_345,
});
const goesOn = makeEvent(5, "iteration_completed", {
  iteration: 1,
  status: "success",
  summary: "Measured",
  decision: "continue",
  why: "Work remains",
  running_ms: 3_000,
});

const step = (id: string, title: string, status: "done" | "in_progress" | "pending") => ({
  id,
  title,
  status,
  is_optional: false,
  owner: null,
  last_iteration: 1,
  evidence: [],
});
const check = (isGreen: boolean) => ({
  id: "c",
  deliverable_id: null,
  kind: "judge",
  about: "Fair",
  words: "Fair",
  target: {},
  given_by: "user" as const,
  proof: { is_green: isGreen, seen: "", artifacts: [], iteration: 1 },
});
const planned = {
  plan: [step("1", "Measure\u001b[2J", "done"), step("2", "Draw", "in_progress"), step("3", "Price", "pending")],
  completion_criteria: [check(true), check(false)],
};

describe("on a terminal", () => {
  test("plan, checks, cost and what happens now are written again in place, and the result replaces them", async () => {
    const { write, shown } = screen();
    const terminal = { out: write, say: () => {}, canRedraw: true, columns: 80 };
    const env = { now: () => Date.parse("2030-03-17T17:42:07Z") as Instant, newId: () => "id", sleep: untilAborted };
    const entry = { ...scenes.entry, run: planned };
    await runStaged(
      ["run", "Plan"],
      { scenes: [scenes.start, scenes.iterate, entry, { event: paid }, { event: goesOn }, scenes.complete] },
      { terminal, env },
    );
    const steps = "\n  ✓ Measure [2J\n  ▸ Draw\n  ○ Price\n";
    const checks = "1 of 2 checks passed";
    expect(shown).toEqual([
      "Queued  Plan my kitchen\n  iteration 1 of 20 · 0s active · $0.00\n\n  Waiting for a free place to run\n",
      "Running  Plan my kitchen\n  iteration 1 of 20 · 0s active · $0.00\n\n  Planning\n",
      "Running  Plan my kitchen\n  iteration 1 of 20 · 2m 05s active · $0.00\n\n  Planning\n",
      `Running  Plan my kitchen\n  iteration 1 of 20 · 2m 05s active · $0.00 · ${checks}\n${steps}\n  3 steps [31m\n`,
      `Running  Plan my kitchen\n  iteration 1 of 20 · 2m 05s active · $0.01 · ${checks}\n${steps}\n  3 steps [31m\n`,
      `Running  Plan my kitchen\n  iteration 2 of 20 · 3s active · $0.01 · ${checks}\n${steps}\n  Choosing the next step\n`,
      "",
      expect.stringMatching(/^✓ Homework complete: Plan my kitchen\n/),
    ]);
  });

  test("a long plan is shown around the step that is under way", async () => {
    const { write, shown } = screen();
    const terminal = { out: write, say: () => {}, canRedraw: true, columns: 60 };
    const plan = Array.from({ length: 20 }, (_, at) => step(`${at}`, `Step ${at}`, at < 11 ? "done" : "pending"));
    await runStaged(["watch", "last"], { run: { status: "running", plan }, scenes: [scenes.complete] }, { terminal });
    expect(shown[0]).toContain("\n  … 6 steps before\n  ✓ Step 6\n");
    expect(shown[0]).toContain("\n  ▸ Step 11\n  ○ Step 12\n  ○ Step 13\n  ○ Step 14\n  ○ Step 15\n  … 4 steps more\n");
  });

  test("no line is wider than the terminal", async () => {
    const { write, shown } = screen();
    const terminal = { out: write, say: () => {}, canRedraw: true, columns: 16 };
    const entry = { ...scenes.entry, run: planned };
    await runStaged(["run", "Plan"], { scenes: [scenes.start, scenes.iterate, entry, scenes.complete] }, { terminal });
    const frames = shown.filter((text) => text.startsWith("Running"));
    expect(frames.at(-1)).toBe(
      "Running  Plan…\n  iteration 1…\n\n  ✓ Measure [2J\n  ▸ Draw\n  ○ Price\n\n  3 steps [31m\n",
    );
  });

  test("the time goes on while nothing happens", async () => {
    const { write, shown } = screen();
    let nowMs = Date.parse("2030-03-17T17:40:02Z");
    let ticks = 0;
    let finish = () => {};
    const enough = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const env = {
      now: () => nowMs as Instant,
      newId: () => "id",
      sleep: async (ms: number, signal?: AbortSignal) => {
        if (ticks >= 3) return untilAborted(ms, signal);
        ticks += 1;
        if (ticks === 3) finish();
        await new Promise((resolve) => setImmediate(resolve));
        nowMs += ms;
      },
    };
    const terminal = { out: write, say: () => {}, canRedraw: true, columns: 80 };
    await runStaged(["run", "Plan"], { scenes: [scenes.iterate, () => enough, scenes.complete] }, { terminal, env });
    expect(shown.filter((text) => text.includes("iteration 1 of 20")).length).toBeGreaterThan(1);
    expect(shown.some((text) => / · [123]s active · /.test(text))).toBe(true);
  });
});

describe("Ctrl-C", () => {
  const interrupted = (server: string | null, args: readonly string[] = ["run", "Plan"]) => {
    const stop = new AbortController();
    const script = [...begin, () => stop.abort()];
    return runStaged(args, { scenes: script, server }, { stop: stop.signal });
  };

  test("leaves a run that a server works on, and says how to come back", async () => {
    const ran = await interrupted("http://server.test");
    expect(ran).toMatchObject({ code: 130, out: "", closed: ["working"] });
    expect(ran.words).toMatch(
      /\nThe run continues in the background\.\nCome back with: homework watch last\nEnd it with: homework cancel last\n$/,
    );
  });

  test("says when a run continues that nobody else works on", async () => {
    const ran = await interrupted(null);
    expect(ran).toMatchObject({ code: 130, closed: ["working"] });
    expect(ran.words).toContain(
      "The run is paused: Homework is not running.\nContinue with: homework watch last (or homework start)\n",
    );
  });

  test("with --json is one error", async () => {
    const ran = await interrupted(null, ["run", "Plan", "--json"]);
    expect(ran).toMatchObject({ code: 130, out: "" });
    expect(JSON.parse(ran.words)).toMatchObject({ error: { code: "interrupted" } });
  });

  test("at a question leaves the run waiting", async () => {
    const stop = new AbortController();
    const ask = async (_: string, signal: AbortSignal) => {
      stop.abort();
      return untilAborted(0, signal);
    };
    const terminal = { isInteractive: true, ask };
    const ran = await runStaged(["run", "Plan"], { scenes: [scenes.wait] }, { stop: stop.signal, terminal });
    expect(ran).toMatchObject({ code: 130, words: expect.stringContaining("Come back with") });
  });
});

describe("a run that waits for you", () => {
  const respond = `POST ${runPath}/respond`;
  const answersWith = (ask: () => Promise<string | null>) => ({ terminal: { isInteractive: true, ask } });

  test("says exactly which command answers where nobody can be asked", async () => {
    const ran = await runStaged(["run", "Plan"], { scenes: [scenes.wait] });
    expect(ran.code).toBe(23);
    expect(ran.words).toContain(
      `The run is waiting for your answer:\nRed or blue\ufffd[2J?\n  1) red tiles\n  2) blue tiles\nAnswer with: homework answer last "your answer"\n`,
    );
  });

  test("shows the plan and the checks that it wants approved", async () => {
    const question = { id: "q1", kind: "approve_plan" as const, text: "Approve?", options: [] };
    const wait = { ...scenes.wait, run: { ...planned, status: "waiting_on_user" as const, questions: [question] } };
    const ran = await runStaged(["run", "Plan"], { scenes: [wait] });
    expect(ran.words).toContain(
      "answer:\n\nPlan\n  ✓ Measure [2J\n  ▸ Draw\n  ○ Price\n\nChecks\n  ✓ Fair · From you\n  ○ Fair · From you\n\nApprove?\n",
    );
  });

  test("asks on a terminal and goes on", async () => {
    const answered: unknown[] = [];
    const staged = staging({
      scenes: [scenes.wait, scenes.complete],
      answers: {
        [respond]: ({ body }) => {
          answered.push(body);
          return staged.change({ status: "queued", questions: [] });
        },
      },
    });
    const ran = await runInTest(["run", "Plan"], { services: staged.services, ...answersWith(async () => "2") });
    expect(answered).toEqual([{ answers: [{ question_id: "q1", text: "blue tiles" }] }]);
    expect(ran).toMatchObject({ code: 0, out: expect.stringContaining("Homework complete") });
  });

  test("goes on when someone else was quicker", async () => {
    const staged = staging({
      scenes: [scenes.wait, scenes.complete],
      answers: {
        [respond]: () => {
          staged.change({ status: "queued", questions: [] });
          const error = { code: "wrong_status", message: "The run asks nothing", details: {} };
          return Response.json({ error }, { status: 409 });
        },
      },
    });
    const ran = await runInTest(["run", "Plan"], { services: staged.services, ...answersWith(async () => "red") });
    expect(ran).toMatchObject({ code: 0, words: expect.stringContaining("Someone else has answered already.") });
  });

  test.each([
    ["Ctrl-D", null],
    ["nothing but Enter", ""],
  ])("is left waiting by %s", async (_, typed) => {
    const ran = await runStaged(
      ["run", "Plan"],
      { scenes: [scenes.wait] },
      answersWith(async () => typed),
    );
    expect(ran).toMatchObject({ code: 23, words: expect.stringContaining("homework answer last\n") });
  });

  test("with --json asks nobody and prints the questions", async () => {
    const ran = await runStaged(
      ["run", "Plan", "--json"],
      { scenes: [scenes.wait] },
      answersWith(async () => "no"),
    );
    expect(ran.code).toBe(23);
    expect(JSON.parse(ran.out)).toMatchObject({ status: "waiting_on_user", questions: [{ id: "q1" }] });
  });
});

describe("watch", () => {
  test("tells what happens from now on, and ends with the result alone on stdout", async () => {
    const ran = await runStaged(["watch", "last"], { scenes: [...begin, scenes.complete] });
    expect(ran.code).toBe(0);
    expect(ran.words).toMatch(/^17:40:01 {2}Started\n/);
    expect(ran.out).toMatch(/^✓ Homework complete/);
    expect(ran.closed).toEqual(["working"]);
  });

  test("with --json prints each event on a line and nothing else", async () => {
    const ran = await runStaged(["watch", "last", "--json"], {
      run: { status: "running" },
      scenes: [...begin, scenes.complete],
    });
    const lines = ran.out.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).seq)).toEqual([1, 2, 3, 9]);
    expect(ran.words).toBe("");
  });

  test("with --json of a run that has ended prints what happened to it", async () => {
    const events = { items: [makeEvent(1, "run_started"), makeEvent(2, "run_completed")], next_since_seq: null };
    const run = makeWireRun({ status: "completed", report: makeReport() });
    const answers = { [`GET ${runPath}`]: () => ({ run, iterations: null, events }) };
    const ran = await runStaged(["watch", "last", "--json"], { run: { status: "completed" }, answers });
    expect(ran.out.match(/"seq":\d+/g)).toEqual(['"seq":1', '"seq":2']);
  });

  test("of a run that has ended shows its report and ends like it", async () => {
    const ran = await runStaged(["watch", "last"], { run: { status: "failed", report: makeReport() } });
    expect(ran).toMatchObject({ code: 21, out: expect.stringContaining("Homework complete") });
  });

  test("learns new budgets when the run is resumed meanwhile", async () => {
    const written: string[] = [];
    const terminal = { out: (text: string) => void written.push(text), canRedraw: true, columns: 80 };
    const resumed = {
      event: makeEvent(1, "run_resumed", { iteration: 3, max_iterations: 40 }),
      run: { max_iterations: 40 },
    };
    await runStaged(["watch", "last"], { scenes: [resumed, scenes.complete] }, { terminal });
    expect(written.join("")).toContain("iteration 3 of 40");
  });
});
