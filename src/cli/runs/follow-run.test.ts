import { describe, expect, test } from "vitest";
import { runInTest, untilAborted } from "../../../test/helpers/cli-host.ts";
import { makeEvent, makeReport, runId, runPath, runStaged, scenes, staging } from "../../../test/helpers/cli-runs.ts";
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

describe("on a terminal", () => {
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

  test("a few lines are written again in place, and the report replaces them", async () => {
    const { write, shown } = screen();
    const terminal = { out: write, say: () => {}, canRedraw: true, columns: 60 };
    const env = { now: () => Date.parse("2030-03-17T17:42:07Z") as Instant, newId: () => "id", sleep: untilAborted };
    await runStaged(
      ["run", "Plan"],
      { scenes: [...begin, { event: paid }, { event: goesOn }, scenes.complete] },
      { terminal, env },
    );
    expect(shown).toEqual([
      "queued  iteration 1/20 · 0s · $0.00 · 0 tokens\n",
      "running  iteration 1/20 · 0s · $0.00 · 0 tokens\n",
      "running  iteration 1/20 · 2m 05s · $0.00 · 0 tokens\n",
      "running  iteration 1/20 · 2m 05s · $0.00 · 0 tokens\n  step  3 steps [31m\n",
      "running  iteration 1/20 · 2m 05s · $0.0123 · 12,345 tokens\n  step  3 steps [31m\n",
      "running  iteration 2/20 · 3s · $0.0123 · 12,345 tokens\n  step  3 steps [31m\n  why   Work remains\n",
      "",
      expect.stringMatching(/^Homework complete: Plan my kitchen\n/),
    ]);
  });

  test("no line is wider than the terminal", async () => {
    const { write, shown } = screen();
    const terminal = { out: write, say: () => {}, canRedraw: true, columns: 16 };
    await runStaged(["run", "Plan"], { scenes: [...begin, scenes.complete] }, { terminal });
    const frames = shown.filter((text) => text.startsWith("running"));
    expect(frames.at(-1)).toBe("running  itera…\n  step  3 step…\n");
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
    expect(shown.filter((text) => text.includes("iteration 1/20")).length).toBeGreaterThan(1);
    expect(shown.some((text) => / · [123]s · /.test(text))).toBe(true);
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
      new RegExp(`\\nThe run goes on without you\\. Come back with: homework watch ${runId}\\n$`),
    );
  });

  test("says when a run continues that nobody else works on", async () => {
    const ran = await interrupted(null);
    expect(ran).toMatchObject({ code: 130, closed: ["working"] });
    expect(ran.words).toContain(
      `The run continues when Homework is started next: homework start, or homework watch ${runId}\n`,
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
      `The run waits for you:\nRed or blue\ufffd[2J?\n  1) red tiles\n  2) blue tiles\nAnswer with: homework answer ${runId} "your answer"\n`,
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
    expect(ran).toMatchObject({ code: 0, words: expect.stringContaining("It was answered elsewhere already.") });
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
    expect(ran).toMatchObject({ code: 23, words: expect.stringContaining(`homework answer ${runId}\n`) });
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
  test("tells what happens from now on as data, then the report", async () => {
    const ran = await runStaged(["watch", "last"], { scenes: [...begin, scenes.complete] });
    expect(ran.code).toBe(0);
    expect(ran.out).toMatch(/^17:40:01 {2}started\n(.*\n){3}Homework complete/);
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
    expect(written.join("")).toContain("iteration 3/40");
  });
});
