import { describe, expect, test } from "vitest";
import type { Answers } from "../../../test/helpers/cli-host.ts";
import { makeWireRun, runId, runPath, runStaged, type Stage } from "../../../test/helpers/cli-runs.ts";
import type { StagedWrite } from "../../protocol/api.ts";

const makeChange = (title: string): StagedWrite["changes"][number] => ({
  op: "updated",
  kind: "task",
  project_id: runId,
  entity_id: runId,
  title,
  fields: [{ name: "content", before: "red", after: "blue", is_cut: false }],
});
const makeWrite = (position: number, over: Partial<StagedWrite> = {}): StagedWrite => ({
  id: `0198c2a${position}-0000-7000-8000-00000000000${position}`,
  position,
  iteration: 1,
  tool: "update_task",
  summary: `change task “Task ${position}”`,
  why: "",
  state: "pending",
  note: "",
  changes: [makeChange(`Task ${position}`)],
  staged_at: "2030-03-17T17:36:40Z",
  decided_at: null,
  applied_at: null,
  ...over,
});

/** One command in front of a run with these changes; `sent` is what it decided or answered. */
async function command(args: readonly string[], writes: readonly StagedWrite[], stage: Stage = {}, pending = 0) {
  const sent: unknown[] = [];
  const answers: Answers = {
    [`GET ${runPath}/changes`]: ({ query }) => ({
      items: writes.filter(({ state }) => query.state === undefined || query.state === state),
      next_cursor: null,
    }),
    [`GET ${runPath}/changes/${makeWrite(1).id}`]: () => makeWrite(1, { summary: "the whole of it" }),
    [`POST ${runPath}/changes`]: ({ body }) => {
      sent.push(body);
      return { run: makeWireRun({ status: pending > 0 ? "waiting_on_user" : "queued" }), pending };
    },
    [`POST ${runPath}/respond`]: ({ body }) => {
      sent.push(body);
      return makeWireRun({ status: "queued" });
    },
  };
  return { ...(await runStaged(args, { answers, ...stage })), sent };
}

const decided = (decision: string, writes: readonly StagedWrite[], note = "") => ({
  decisions: writes.map(({ id }) => ({ change_id: id, decision, note })),
});
const [one, two] = [makeWrite(1), makeWrite(2)];

describe("changes", () => {
  test("shows what each would do, before and after, and how to decide", async () => {
    const odd = makeWrite(2, {
      why: "Because\u001b[2J",
      note: "asked again",
      state: "rejected",
      changes: [
        {
          ...makeChange("Task 2"),
          op: "created",
          fields: [
            { name: "title", before: null, after: "A\nB", is_cut: true },
            { name: "type_key", before: null, after: "task.default", is_cut: false },
            { name: "due_at", before: null, after: "2030-01-01", is_cut: false },
          ],
        },
        { ...makeChange("Old"), op: "deleted", fields: [] },
      ],
    });
    const ran = await command(["changes", "last"], [one, odd]);
    expect(ran.out).toBe(
      [
        "  1  change task “Task 1”  needs you",
        "     content: “red” → “blue”",
        "",
        "  2  change task “Task 2”  rejected",
        "     title: “A B” (cut)",
        "     due: “2030-01-01”",
        "     also delete task “Old”",
        "     note: asked again",
        "     why: “Because [2J”",
        "",
      ].join("\n"),
    );
    expect(ran.words).toContain("homework approve 0198c2a4-0000-7000-8000-000000000001 --all");
  });

  test("with --full fetches what was cut", async () => {
    const cut = {
      ...one,
      changes: [{ ...makeChange("Task 1"), fields: [{ name: "content", before: "x", after: "y", is_cut: true }] }],
    };
    const ran = await command(["changes", "last", "--full"], [cut, two]);
    expect(ran.requests.filter((each) => each.includes("/changes/"))).toEqual([`GET ${runPath}/changes/${one.id}`]);
    expect(ran.out).toContain("the whole of it");
  });

  test("with --json prints them as they are", async () => {
    expect(JSON.parse((await command(["changes", "last", "--json"], [one])).out)).toEqual({
      items: [one],
      has_more: false,
    });
  });

  test("says so where there are none", async () =>
    expect(await command(["changes", "last"], [])).toMatchObject({ code: 0, words: "There are no changes.\n" }));
});

describe.each(["approve", "reject"] as const)("%s", (verb) => {
  test("decides on all that wait, and on nothing that is decided", async () => {
    const ran = await command([verb, "last", "--all"], [one, makeWrite(3, { state: "applied" }), two]);
    expect(ran.sent).toEqual([decided(verb, [one, two])]);
    expect(ran).toMatchObject({
      code: 0,
      out: `${runId}\n`,
      words: expect.stringContaining(`Follow it with: homework watch ${runId}`),
    });
  });

  test("takes numbers, ids and the beginning of an id, each once", async () => {
    const ran = await command([verb, "last", "2", one.id, one.id.slice(0, 8), "--note", "so"], [one, two]);
    expect(ran.sent).toEqual([decided(verb, [two, one], "so")]);
  });

  test("says how many more wait", async () => {
    const ran = await command([verb, "last", "1"], [one, two], {}, 1);
    expect(ran.words).toContain("1 more wait for you");
  });

  const refuse = async (args: readonly string[], writes: readonly StagedWrite[], code: number, words: string) =>
    expect(await command([verb, "last", ...args], writes)).toMatchObject({
      code,
      sent: [],
      words: expect.stringContaining(words),
    });
  test("wants to know which", () => refuse([], [one], 2, "Say which, or --all"));
  test("wants changes or all of them", () => refuse(["1", "--all"], [one], 2, "not both"));
  test("knows no other number", () => refuse(["7"], [one], 3, 'no change "7"'));
  test("has nothing to do where nothing waits", () => refuse(["--all"], [], 5, "Nothing needs your approval"));

  test.each([
    ["approve_plan", "the plan."],
    ["approve_checks", "the change of your criteria."],
  ] as const)("answers a question of kind %s", async (kind, words) => {
    const questions = [{ id: "asked", kind, text: "This?", options: [] }];
    const ran = await command([verb, "last"], [], { run: { status: "waiting_on_user", questions } });
    expect(ran.sent).toEqual([{ answers: [{ question_id: "asked", text: verb }] }]);
    expect(ran.words).toContain(words);
  });
});

const plan = { id: "plan", kind: "approve_plan" as const, text: "This plan?", options: [] };
const onPlan = { run: { status: "waiting_on_user" as const, questions: [plan] } };

test.each([
  ["a note", ["--note", "Cheaper, please"]],
  ["words", ["Cheaper, please"]],
  ["several words", ["Cheaper,", "please"]],
])("a plan that is rejected with %s is told them", async (_, given) => {
  const ran = await command(["reject", "last", ...given], [], onPlan);
  expect(ran.sent).toEqual([{ answers: [{ question_id: "plan", text: "Cheaper, please" }] }]);
});

test("a plan is not approved with words: they would be lost", async () => {
  const ran = await command(["approve", "last", "but", "cheaper"], [], onPlan);
  expect(ran).toMatchObject({ code: 2, sent: [], words: expect.stringContaining("The plan is approved as it is") });
});

test.each([
  ["words and a note", ["not", "in", "red", "--note", "cheaper"]],
  ["a change and words", ["1", "too expensive"]],
])("%s at once are refused: one of them would be lost", async (_, given) => {
  const ran = await command(["reject", "last", ...given], [one], onPlan);
  expect(ran).toMatchObject({ code: 2, sent: [], words: expect.stringContaining("Say it once") });
});

test("while a plan is asked about, numbers mean changes", async () => {
  const ran = await command(["reject", "last", "1"], [one], onPlan);
  expect(ran.sent).toEqual([decided("reject", [one])]);
});
