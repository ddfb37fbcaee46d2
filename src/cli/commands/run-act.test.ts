import { describe, expect, test } from "vitest";
import { type Answers, errorAnswer } from "../../../test/helpers/cli-host.ts";
import { askedQuestion, makeWireRun, runId, runPath, runStaged, type Stage } from "../../../test/helpers/cli-runs.ts";

/** Runs one command and returns what it sent to the run. */
async function act(verb: string, args: readonly string[], stage: Stage = {}, host = {}) {
  const sent: unknown[] = [];
  const answers: Answers = {
    [`POST ${runPath}/${verb}`]: ({ body }) => {
      sent.push(body);
      return makeWireRun();
    },
  };
  return { ...(await runStaged([...args], { answers, ...stage }, host)), sent };
}

const waiting = { run: { status: "waiting_on_user" as const, questions: [askedQuestion] } };
const other = { id: "q2", kind: "question" as const, text: "How many?", options: [] };
const waitingTwice = { run: { ...waiting.run, questions: [askedQuestion, other] } };

describe("answer", () => {
  test("sends a text to the only question, prints the id and says how to follow", async () => {
    const ran = await act("respond", ["answer", "last", "green ones"], waiting);
    expect(ran.sent).toEqual([{ answers: [{ question_id: "q1", text: "green ones" }] }]);
    expect(ran).toMatchObject({
      code: 0,
      out: `${runId}\n`,
      words: `Answered.\nFollow the run with: homework watch ${runId}\n`,
    });
  });

  test("takes the number of an option", async () => {
    const ran = await act("respond", ["answer", "last", "2"], waiting);
    expect(ran.sent).toEqual([{ answers: [{ question_id: "q1", text: "blue tiles" }] }]);
  });

  test("takes an answer for each question, a number being a number where there are no options", async () => {
    const ran = await act("respond", ["answer", "last", "--question", "q1=a=b", "--question", "q2=2"], waitingTwice);
    expect(ran.sent).toEqual([
      {
        answers: [
          { question_id: "q1", text: "a=b" },
          { question_id: "q2", text: "2" },
        ],
      },
    ]);
  });

  test("asks one by one on a terminal", async () => {
    const typed = ["1", "", "three"];
    const terminal = { isInteractive: true, ask: async () => typed.shift() ?? null };
    const ran = await act("respond", ["answer", "last"], waitingTwice, { terminal });
    expect(ran.sent).toEqual([
      {
        answers: [
          { question_id: "q1", text: "red tiles" },
          { question_id: "q2", text: "three" },
        ],
      },
    ]);
  });

  const refuse = async (args: readonly string[], stage: Stage, code: number, words: string) => {
    const ran = await act("respond", ["answer", "last", ...args], stage);
    expect(ran).toMatchObject({ code, out: "", sent: [], words: expect.stringContaining(words) });
  };
  test("shows the questions where nobody can be asked", () =>
    refuse([], waiting, 2, `2) blue tiles\nAnswer with: homework answer ${runId} "your answer"\n`));
  test("wants to know which question a text is for", () =>
    refuse(["x"], waitingTwice, 2, `homework answer ${runId} --question q1="your answer" --question q2="your answer"`));
  test("wants a text or answers by id", () => refuse(["x", "--question", "q1=y"], waiting, 2, "not both"));
  test("wants id=text", () => refuse(["--question", "q1"], waiting, 2, "Give it as id=text"));
  test("is in conflict with a run that asks nothing", () => refuse(["x"], {}, 5, "The run has no open question"));
});

describe("steer", () => {
  test("sends a message", async () => {
    const ran = await act("steer", ["steer", "last", "Leave the floor"]);
    expect(ran.sent).toEqual([{ message: "Leave the floor" }]);
    expect(ran.words).toContain("The run reads it before its next model call.");
  });

  test("reads it from stdin", async () => {
    const terminal = { readInput: async () => "A long one\n" };
    expect((await act("steer", ["steer", "last", "-"], {}, { terminal })).sent).toEqual([{ message: "A long one" }]);
  });

  test("needs one", async () =>
    expect(await act("steer", ["steer", "last", " "])).toMatchObject({ code: 2, sent: [] }));
});

describe.each([
  ["pause", `Paused. Resume with: homework resume ${runId}\n`],
  ["cancel", "Canceled.\n"],
])("%s", (verb, words) => {
  test("does it", async () => {
    expect(await act(verb, [verb, "last"])).toMatchObject({ code: 0, out: `${runId}\n`, words, sent: [undefined] });
  });

  test("with --json prints the run", async () => {
    expect(JSON.parse((await act(verb, [verb, "last", "--json"])).out)).toMatchObject({ id: runId });
  });

  test("ends with 5 where the run has ended already", async () => {
    const late = {
      [`POST ${runPath}/${verb}`]: () => errorAnswer(409, "wrong_status", "The run is completed already"),
    };
    const ran = await runStaged([verb, "last"], { answers: late });
    expect(ran).toMatchObject({ code: 5, words: "The run is completed already\n" });
  });
});

describe("resume and fork", () => {
  test("send larger budgets", async () => {
    const args = "--max-iterations 40 --max-minutes 90 --max-cost 5 --max-tokens 9 --max-tool-calls 7".split(" ");
    const budgets = {
      max_iterations: 40,
      max_wall_clock_ms: 5_400_000,
      max_cost_usd: 5,
      max_total_tokens: 9,
      max_tool_calls: 7,
    };
    expect((await act("resume", ["resume", "last", ...args])).sent).toEqual([{ budgets }]);
    expect((await act("fork", ["fork", "last", ...args])).sent).toEqual([{ budgets }]);
  });

  test("fork takes an iteration and another objective", async () => {
    const ran = await act("fork", ["fork", "last", "--iteration", "3", "--objective", "Without the floor"]);
    expect(ran.sent).toEqual([{ iteration: 3, objective: "Without the floor", budgets: {} }]);
    expect(ran.out).toBe(`${runId}\n`);
  });

  test("fork takes a model for all roles, and others for some", async () => {
    const ran = await act("fork", ["fork", "last", "--model", "demo/a", "--model", "repair=demo/b"]);
    const models = { planner: "demo/a", executor: "demo/a", repair: "demo/b", summary: "demo/a", judge: "demo/a" };
    expect(ran.sent).toEqual([{ budgets: {}, models }]);
    expect((await act("fork", ["fork", "last", "--model", "cook=demo/b"])).code).toBe(2);
  });

  test("say when it goes on where no server runs", async () => {
    const ran = await act("resume", ["resume", "last"], { server: null });
    expect(ran.words).toBe(
      `Resumed.\nThe run works while Homework is running: homework start, or homework watch ${runId}\n`,
    );
  });
});
