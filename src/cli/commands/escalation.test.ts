import { expect, test } from "vitest";
import { errorAnswer } from "../../../test/helpers/cli-host.ts";
import {
  escalationId,
  escalationPath,
  makeWireEscalation,
  runWithOutcome,
} from "../../../test/helpers/cli-outcomes.ts";
import { makeWireRun } from "../../../test/helpers/cli-runs.ts";

const open = [makeWireEscalation()];
const answer = (...args: string[]) => runWithOutcome(["escalation", "answer", "last", ...args], { open });

test.for(["2", "rich", "A RICH FORM"])("an option is chosen by its number, id or label: %s", async (typed) => {
  const ran = await answer(typed);
  expect(ran.sent).toEqual([{ selected_option: "rich" }]);
  expect(ran).toMatchObject({ code: 0, out: `${escalationId}\n`, words: "Decided: A rich form. Tasks resumed: 1.\n" });
});

test("a note comes along", async () => {
  expect((await answer("1", "--context", "Until June")).sent).toEqual([
    { selected_option: "plain", additional_context: "Until June" },
  ]);
});

test("an option whose id is a number is that one, whatever its place", async () => {
  const { question } = makeWireEscalation();
  const options = question.options.map((option, at) => ({ ...option, id: String(2 - at) }));
  const numbered = [makeWireEscalation({ question: { ...question, options } })];
  const ran = await runWithOutcome(["escalation", "answer", "last", "2"], { open: numbered });
  expect(ran.sent).toEqual([{ selected_option: "2" }]);
});

test("several words that name no option are an answer of their own, where those are taken", async () => {
  const ran = await answer("Both: one after the other", "--context", "By June");
  expect(ran.sent).toEqual([
    { selected_option: "own_words", additional_context: "Both: one after the other\nBy June" },
  ]);
  expect(ran.words).toBe("Decided: Both: one after the other. Tasks resumed: 1.\n");
  const strict = [makeWireEscalation({ takes_own_words: false })];
  const refused = await runWithOutcome(["escalation", "answer", "last", "Both of them"], { open: strict });
  expect(refused).toMatchObject({ code: 2, sent: [] });
});

test("what is none of the options is refused with all of them", async () => {
  const ran = await answer("blue");
  expect(ran).toMatchObject({ code: 2, words: expect.stringContaining("1) A plain form (plain)") });
  expect(ran.sent).toEqual([]);
});

test("without an option it asks on a terminal, and says how elsewhere", async () => {
  const terminal = { isInteractive: true, ask: async () => "1" };
  const asked = await runWithOutcome(["escalation", "answer", "last"], { open }, { terminal });
  expect(asked.sent).toEqual([{ selected_option: "plain" }]);
  expect(await answer()).toMatchObject({
    code: 2,
    words: expect.stringContaining(`homework escalation answer ${escalationId} 1`),
  });
});

test("one that was answered elsewhere is a conflict, in the server's words", async () => {
  const said = "This question was answered by a person on 2030-03-17T17:46:00Z: A plain form";
  const answers = { [`POST ${escalationPath}/answer`]: () => errorAnswer(409, "wrong_status", said) };
  const ran = await runWithOutcome(["escalation", "answer", escalationId.slice(0, 8), "1"], { open, answers });
  expect(ran).toMatchObject({ code: 5, words: expect.stringContaining(said) });
});

test("dismiss tells the workers why", async () => {
  const ran = await runWithOutcome(["escalation", "dismiss", "last", "--why", "Either is fine"], { open });
  expect([ran.code, ran.sent]).toEqual([0, [{ why: "Either is fine" }]]);
});

test("list shows what waits, show what it is about", async () => {
  const listed = await runWithOutcome(["escalation", "list"], { open });
  expect(listed.requests).toContain("GET /api/escalations?limit=50&group=open");
  expect(listed.out).toContain("needs you");
  const shown = await runWithOutcome(["escalation", "show", "last"], { open });
  for (const part of [
    "A shop for lamps",
    "multiple approaches, task #1",
    "  2) A rich form",
    "→ Slow",
    "Tasks paused: #2",
  ])
    expect(shown.out).toContain(part);
  const json = await runWithOutcome(["escalation", "show", "last", "--json"], { open });
  expect(JSON.parse(json.out)).toEqual(makeWireEscalation());
});

test("questions of runs stand in the list", async () => {
  const asking = makeWireRun({ status: "waiting_on_user", question: "Red or blue?" });
  const answers = { "GET /api/homework/runs": () => ({ items: [asking], next_cursor: null }) };
  const listed = await runWithOutcome(["escalation", "list"], { answers });
  expect(listed.out).toMatch(
    /^Questions of runs \(answer with: homework answer ID\)\nID .*\n0198c2a4 .* Red or blue\?\n$/,
  );
  expect(listed.words).toBe("");
  expect(JSON.parse((await runWithOutcome(["escalation", "list", "--json"], { answers })).out)).toMatchObject({
    runs: [{ question: "Red or blue?" }],
  });
});

test("nothing that waits is said", async () => {
  expect((await runWithOutcome(["escalation", "list"])).words).toBe("No questions are waiting for you.\n");
});
