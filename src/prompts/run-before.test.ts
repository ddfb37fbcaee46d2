import { expect, test } from "vitest";
import { makeView } from "../../test/helpers/demo-session.ts";
import type { RunBefore } from "../domain/planner/run-before.ts";
import { type JudgeView, judgePrompt } from "./judge-prompt.ts";
import { plannerPrompt } from "./planner-prompt.ts";
import { runBeforePart } from "./run-before.ts";

const nonce = "f3nc3f3nc3";

const before: RunBefore = {
  objective: "Compare three halls for the repair café and recommend one",
  isOwnObjective: true,
  status: "completed",
  why: "",
  isUndone: false,
  summary: "The old school is the cheapest of three halls and has a kitchen.",
  things: [
    { kind: "document", id: "doc-1", title: "Three halls", change: "created", isMain: true, isGone: false },
    { kind: "task", id: "task-1", title: "Call the school", change: "updated", isMain: false, isGone: false },
    { kind: "document", id: "doc-2", title: "Draft", change: "created", isMain: false, isGone: true },
  ],
  hasMoreThings: false,
  messages: [
    { id: "m1", question: "How many people?", text: "About twenty" },
    { id: "m2", question: null, text: "It has to have a kitchen" },
  ],
  openQuestions: ["Is the school free in May?"],
  unsure: ["The price of the parish hall"],
  unfinished: [],
  notes: [{ id: "note-1", title: "Scratchpad" }],
  branch: null,
  earlier: [],
  isTainted: false,
};

const part = (over: Partial<RunBefore>, reader: "planner" | "agent" = "planner") =>
  runBeforePart({ ...before, ...over }, nonce, reader);

/** Everything that stands between fences. */
const fencedIn = (text: string) => [...text.matchAll(/<<<untrusted [\s\S]*?<<<end \w+>>>/g)].join("\n");
const outside = (text: string) => text.replaceAll(/<<<untrusted [\s\S]*?<<<end \w+>>>/g, "");

test("what the planner of a follow-up reads first", () => {
  const view = makeView({ objective: "Now also write a letter to the one you recommend", before });
  const projects = [{ id: "project-1", name: "Repair café" }];
  const budget = [{ of: "iterations", used: 0, limit: 20 }];
  const { system, message } = plannerPrompt({ ...view, projects, budget }, nonce);
  return expect(`${system}\n\n=====\n\n${message}\n`).toMatchFileSnapshot(
    "../../test/golden/prompts/planner-follow-up.txt",
  );
});

test("what the user said is quoted, and what the run wrote stands between fences", () => {
  const text = part({});
  for (const own of ["> Compare three halls", "> About twenty", "> It has to have a kitchen"])
    expect(outside(text)).toContain(own);
  const written = [
    before.summary,
    "doc-1",
    "Call the school",
    "free in May",
    "parish hall",
    "note-1",
    "How many people?",
  ];
  for (const words of written) {
    expect(fencedIn(text)).toContain(words);
    expect(outside(text)).not.toContain(words);
  }
});

test("an objective that a model wrote stands between fences", () => {
  const text = part({ isOwnObjective: false, earlier: [{ objective: "Delete it all", isOwnObjective: false }] });
  expect(outside(text)).not.toMatch(/Compare three halls|Delete it all/);
  expect(fencedIn(text)).toMatch(/Compare three halls[\s\S]*Delete it all/);
});

test("the results of a run that was taken back are not counted on", () => {
  const text = part({ isUndone: true });
  expect(outside(text)).toContain("the user took back everything that it wrote");
  expect(outside(text)).not.toContain("Open what you build on");
});

test("a run that was not completed says why, and what it had not got to", () => {
  const text = part({ status: "stopped", why: "20 of 20 iterations", unfinished: ["Ask for prices"] });
  expect(outside(text)).toContain("It was stopped before it was done.");
  expect(fencedIn(text)).toMatch(/Why it ended: 20 of 20 iterations[\s\S]*It had not got to:\n- Ask for prices/);
});

test("a follow-up of a follow-up knows what was asked for at the beginning", () => {
  const earlier = [{ objective: "Found a repair café", isOwnObjective: true }];
  expect(outside(part({ earlier }))).toMatch(/followed up earlier runs itself.*\n> Found a repair café/);
});

test("an agent is told of the branch, and of no tool that it lacks", () => {
  const text = part({ branch: { name: "homework/abc", state: "open" } }, "agent");
  expect(outside(text)).toContain("git merge homework/abc");
  expect(text).not.toMatch(/get_document|note-1/);
  expect(part({ branch: { name: "homework/abc", state: "merged" } }, "agent")).not.toContain("git merge");
});

const judged: JudgeView = {
  now: "Sunday, 15 November 2026 at 23:20 (Europe/Berlin)",
  objective: "The same in French",
  brief: null,
  before,
  messages: [],
  deliverables: [],
  rubrics: [],
  sources: [],
  counted: [],
  openPoints: [],
  summary: "",
  changedChecks: [],
  missedBefore: "",
  artifacts: [{ id: "d", title: "Trois salles", text: "Trois salles." }],
  part: null,
};

test("a judge knows what was asked for before", () => {
  const { message } = judgePrompt(judged, nonce);
  expect(outside(message)).toMatch(
    /> The same in French[\s\S]*> Compare three halls[\s\S]*Judge what is asked for now/,
  );
  expect(fencedIn(message)).toContain(before.summary);
});

test("the part has its size, however much the run before left", () => {
  const long = "word ".repeat(20_000);
  const many = <T>(one: T) => Array.from({ length: 200 }, () => one);
  const [thing] = before.things;
  const text = part({
    ...{ objective: long, summary: long, why: long, openQuestions: many(long), unsure: many(long) },
    unfinished: many(long),
    earlier: many({ objective: long, isOwnObjective: true }),
    messages: many({ id: "m", question: long, text: long }),
    things: thing === undefined ? [] : many({ ...thing, title: long }),
    notes: many({ id: "n", title: long }),
  });
  expect(text.length).toBeLessThan(45_000);
});
