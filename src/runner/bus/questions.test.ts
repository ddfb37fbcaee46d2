import { describe, expect, test } from "vitest";
import type { BusEntry } from "./entry.ts";
import {
  findAnswer,
  findSpeaker,
  isAnswerTo,
  isWaitingFor,
  listLeftQuestions,
  listOpenQuestions,
} from "./questions.ts";

const entry = (over: Partial<BusEntry>): BusEntry => ({
  msg_id: "m1",
  ts: "",
  type: "INFO",
  project_id: "p",
  task_id: "t",
  run_id: "",
  parents: [],
  attachment_path: "",
  issue_id: "",
  links: [],
  meta: {},
  body: "",
  ...over,
});
const to = (...ids: readonly string[]): Pick<BusEntry, "parents"> => ({
  parents: ids.map((id) => ({ msg_id: id, kind: "reply" })),
});
const runner = { by: "run-agent" };

/** Asked by run r1. */
const question = entry({ msg_id: "q", type: "QUESTION", run_id: "r1" });
/** Asked by run c1, which run r1 has started. */
const ofChild = entry({ msg_id: "q", type: "QUESTION", run_id: "c1", meta: { parent_run: "r1" } });
const permission = entry({ ...ofChild, meta: { parent_run: "r1", permission: "k" } });
const other = entry({ msg_id: "x", run_id: "r1" });

describe("who speaks", () => {
  test.each<[string, Partial<BusEntry>, string]>([
    ["a word of the user", { type: "USER" }, "person"],
    ["a request of the user", { type: "USER_REQUEST" }, "person"],
    ["an answer without a run", { type: "ANSWER" }, "person"],
    ["a word of the user that a run says", { type: "USER", run_id: "r1" }, "agent"],
    ["an answer of a run", { type: "ANSWER", run_id: "r1" }, "agent"],
    ["an answer of an agent of another task", { type: "ANSWER", meta: { from_run: "r9" } }, "agent"],
    ["a word of the user by an agent of another task", { type: "USER", meta: { from_run: "r9" } }, "agent"],
    ["progress without a run", { type: "PROGRESS" }, "agent"],
    ["a question without a run", { type: "QUESTION" }, "agent"],
    ["an answer of the runner", { type: "ANSWER", meta: runner }, "runner"],
    ["a word of the user by the runner", { type: "USER", meta: runner }, "runner"],
    ["the start of a run", { type: "START", run_id: "r1" }, "runner"],
  ])("%s", (_what, over, speaker) => expect(findSpeaker(entry(over))).toBe(speaker));
});

/** Whether the entry, said after the question, answers it. */
const cases: readonly (readonly [string, BusEntry, Partial<BusEntry>, boolean])[] = [
  ["a person's answer to it", question, { type: "ANSWER", ...to("q") }, true],
  ["a person's word as a reply to it", question, { type: "USER", ...to("q") }, true],
  ["a person's request as a reply to it", question, { type: "USER_REQUEST", ...to("q") }, true],
  ["a person's answer to it and to something else", question, { type: "ANSWER", ...to("x", "q") }, true],
  ["a person's answer to something else", question, { type: "ANSWER", ...to("x") }, false],
  ["a person's word as a reply to something else", question, { type: "USER", ...to("x") }, false],
  ["a person's word to nothing", question, { type: "USER" }, true],
  ["a person's request to nothing", question, { type: "USER_REQUEST" }, true],
  ["a person's answer to nothing", question, { type: "ANSWER" }, true],
  ["an answer of the asking run itself", question, { type: "ANSWER", run_id: "r1", ...to("q") }, false],
  ["progress of the asking run on it", question, { type: "PROGRESS", run_id: "r1", ...to("q") }, false],
  ["a word of the user by the asking run", question, { type: "USER", run_id: "r1", ...to("q") }, false],
  ["a word of the user to nothing by the asking run", question, { type: "USER", run_id: "r1" }, false],
  ["an answer of a child of the asking run", question, { type: "ANSWER", run_id: "c1", ...to("q") }, false],
  ["an answer of another agent", question, { type: "ANSWER", run_id: "r2", ...to("q") }, false],
  ["progress of another agent on it", question, { type: "PROGRESS", run_id: "r2", ...to("q") }, false],
  ["an answer of an agent of another task", question, { type: "ANSWER", meta: { from_run: "r9" }, ...to("q") }, false],
  ["a word of the user by an agent of another task", question, { type: "USER", meta: { from_run: "r9" } }, false],
  ["an answer of the runner", question, { type: "ANSWER", meta: runner, ...to("q") }, false],
  ["a word of the user by the runner", question, { type: "USER", meta: runner }, false],
  ["progress without a run on it", question, { type: "PROGRESS", ...to("q") }, false],
  ["an answer of the run that started the asking one", ofChild, { type: "ANSWER", run_id: "r1", ...to("q") }, true],
  ["progress of the run that started the asking one", ofChild, { type: "PROGRESS", run_id: "r1", ...to("q") }, false],
  ["an answer of that run to something else", ofChild, { type: "ANSWER", run_id: "r1", ...to("x") }, false],
  ["an answer of that run to nothing", ofChild, { type: "ANSWER", run_id: "r1" }, false],
  ["an answer of that run from another task", ofChild, { type: "ANSWER", meta: { from_run: "r1" }, ...to("q") }, true],
  ["an answer of another run from there", ofChild, { type: "ANSWER", meta: { from_run: "r9" }, ...to("q") }, false],
  ["progress of that run from there", ofChild, { type: "PROGRESS", meta: { from_run: "r1" }, ...to("q") }, false],
  [
    "a permission that it gives from there",
    permission,
    { type: "ANSWER", meta: { from_run: "r1" }, ...to("q") },
    false,
  ],
  [
    "an answer of a brother that names that run",
    ofChild,
    { type: "ANSWER", run_id: "c2", meta: { from_run: "r1" }, ...to("q") },
    false,
  ],
  ["an answer of a brother of the asking run", ofChild, { type: "ANSWER", run_id: "c2", ...to("q") }, false],
  ["a person's answer to a child", ofChild, { type: "ANSWER", ...to("q") }, true],
  ["a permission that the starting run gives", permission, { type: "ANSWER", run_id: "r1", ...to("q") }, false],
  ["a permission that a person gives", permission, { type: "ANSWER", ...to("q") }, true],
  [
    "an answer of a run that calls itself its own starter",
    entry({ ...question, meta: { parent_run: "r1" } }),
    { type: "ANSWER", run_id: "r1", ...to("q") },
    false,
  ],
];

test.each(cases)("%s: answered %j", (_what, asked, over, isAnswered) => {
  const said = entry(over);
  const entries = [other, asked, said];
  expect({
    isAnswer: isAnswerTo(said, asked),
    isOpen: listOpenQuestions(entries).includes(asked),
    answer: findAnswer(entries, asked),
  }).toEqual({ isAnswer: isAnswered, isOpen: !isAnswered, answer: isAnswered ? said : undefined });
});

test("what a person said before the question does not answer it", () => {
  const entries = [entry({ type: "USER" }), entry({ type: "ANSWER", ...to("q") }), question];
  expect([listOpenQuestions(entries), findAnswer(entries, question)]).toEqual([[question], undefined]);
});

test("a word to nothing answers all questions before it, a reply the one that it names", () => {
  const second = entry({ ...question, msg_id: "q2" });
  expect(listOpenQuestions([question, second, entry({ type: "USER", ...to("q") })])).toEqual([second]);
  expect(listOpenQuestions([question, entry({ type: "USER" }), second])).toEqual([second]);
  expect(listOpenQuestions([question, second, entry({ type: "USER" })])).toEqual([]);
});

describe("a run", () => {
  const remark = entry({ type: "PROGRESS", run_id: "r1", ...to("q") });
  test.each<[string, readonly BusEntry[], boolean, boolean]>([
    ["asks", [question], true, true],
    ["has an answer", [question, entry({ type: "ANSWER", ...to("q") })], false, false],
    ["has an answer of another agent", [question, entry({ type: "ANSWER", run_id: "r2", ...to("q") })], true, true],
    ["is told something else", [question, entry({ type: "ANSWER", ...to("x") })], true, true],
    ["asks and adds a remark on it", [question, remark], false, true],
    ["asks, adds a remark and has an answer", [question, remark, entry({ type: "ANSWER", ...to("q") })], false, false],
    ["asks and goes on with something else", [question, entry({ type: "PROGRESS", run_id: "r1" })], false, false],
    ["asks, and the runner says something", [question, entry({ type: "START", run_id: "r1" })], true, true],
    ["asks, and the runner warns", [question, entry({ type: "WARNING", run_id: "r1", meta: runner })], true, true],
    ["asks, and another run goes on", [question, entry({ type: "PROGRESS", run_id: "r2" })], true, true],
    ["says nothing while another run asks", [entry({ ...question, run_id: "r2" })], false, false],
  ])("%s: waits %j, leaves the question %j", (_what, entries, isWaiting, isLeft) =>
    expect([isWaitingFor(entries, "r1"), listLeftQuestions(entries, "r1").length > 0]).toEqual([isWaiting, isLeft]),
  );
});

test("twenty thousand questions and answers are gone through once", () => {
  const asked = Array.from({ length: 10_000 }, (_, n) => entry({ ...question, msg_id: `q${n}` }));
  const said = asked.map(({ msg_id: id }) => entry({ type: "ANSWER", ...to(id) }));
  let looks = 0;
  const counted = [...asked, ...said].map((each) => ({
    ...each,
    get type() {
      looks += 1;
      return each.type;
    },
  }));
  expect(listOpenQuestions(counted)).toEqual([]);
  expect(looks).toBeLessThan(20_000 * 10);
});
