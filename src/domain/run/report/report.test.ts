import { expect, test } from "vitest";
import { makeProof, makeRun } from "../../../../test/helpers/make-run.ts";
import type { Run, RunState } from "../run.ts";
import type { Closing } from "./closing.ts";
import { assembleReport, type RunRecord } from "./report.ts";

const nothing: RunRecord = {
  created: [],
  updated: [],
  linked: [],
  counts: [],
  plans: [],
  documents: [],
  proofs: [],
  checkChanges: [],
  messages: [],
  closing: null,
  cachedTokens: null,
  iterations: 7,
  narrative: null,
};
const thing = (type: string, id: string, title = id) => ({ type, id, title, project_id: "p1" });
const endedAs = (state: RunState, over: Partial<Run> = {}): Run => ({ ...makeRun(), ...over, state });
const completed = endedAs({ status: "completed", iteration: 7, proofs: [makeProof()] });
const stopped = (reason: "max_iterations" | "cost" | "same_error" | "provider_auth" | "paused") =>
  endedAs({ status: "stopped", iteration: 2, reason, detail: "why" });

test("what changed is what the store recorded, whatever the model tells", () => {
  const created = [thing("document", "d1", "Report")];
  const report = assembleReport(completed, { ...nothing, created, narrative: "I wrote five books." });
  expect(report.what_changed.created).toEqual(created);
  expect(report.artifacts.documents).toEqual([{ id: "d1", title: "Report", change: "created" }]);
  expect(report.summary).toBe("I wrote five books.");
});

test("a document that was created and then changed is listed once, as created", () => {
  const document = thing("document", "d1");
  const report = assembleReport(completed, { ...nothing, created: [document], updated: [document] });
  expect(report.artifacts.documents).toEqual([{ id: "d1", title: "d1", change: "created" }]);
});

test("a plan has its own status, not the run's", () => {
  const plans = [{ id: "plan1", status: "active" }];
  expect(assembleReport(completed, { ...nothing, plans }).artifacts.plans).toEqual(plans);
});

test("without a narrative the facts are put into sentences", () => {
  const spent = { runningMs: 125_000, costMicroUsd: 830_000, tokens: 18_423, toolCalls: 9, unpricedCalls: 0 };
  const counts = [
    { type: "task", created: 9, updated: 0 },
    { type: "document", created: 1, updated: 2 },
  ];
  const { summary, metrics } = assembleReport({ ...completed, spent }, { ...nothing, counts, proofs: [makeProof()] });
  expect(summary).toBe(
    "The run worked for 2 minutes in 7 iterations. It created 9 tasks and 1 document. It updated 2 documents. 1 of 1 check passed.",
  );
  expect(metrics).toMatchObject({
    iterations: 7,
    duration_ms: 125_000,
    total_tokens: 18_423,
    total_cost_micro_usd: 830_000,
  });
});

test("title and sentences are in the language of the objective", () => {
  const objective = "Vergleiche drei Fahrräder und erstelle eine Tabelle";
  const report = assembleReport({ ...completed, objective }, { ...nothing, proofs: [makeProof()] });
  expect(report).toMatchObject({ language: "de", title: `Homework erledigt: ${objective}` });
  expect(report.summary).toContain("Es wurde nichts angelegt oder geändert. 1 von 1 Prüfung bestanden.");
});

const documents = [
  { id: "long", size: 900, beginning: "# Long\n\nThe long one." },
  { id: "short", size: 100, beginning: "# Short\n\nThe short one." },
];
const closing: Closing = { primaryOutput: null, summary: "", openQuestions: [], unsure: [], honoured: [] };
const two = { ...nothing, documents, created: [thing("document", "short")], updated: [thing("document", "long")] };

test("the primary output is the thing that the run named, with its first paragraph", () => {
  const record = { ...two, closing: { ...closing, primaryOutput: { kind: "document", id: "short" } } };
  expect(assembleReport(completed, record).primary_output).toEqual({
    ...thing("document", "short"),
    change: "created",
    opening: "The short one.",
  });
});

test("a thing that the run named and did not write is no primary output", () => {
  const record = { ...two, closing: { ...closing, primaryOutput: { kind: "document", id: "foreign" } } };
  expect(assembleReport(completed, record).primary_output?.id).toBe("short");
});

test("without a word of the run, the longest document that a check looked at is the primary output", () => {
  const proofs = [makeProof({ artifacts: [{ kind: "document", id: "long" }] })];
  expect(assembleReport(completed, { ...two, proofs }).primary_output?.id).toBe("long");
});

test("else the longest that the run made", () => {
  expect(assembleReport(completed, { ...two, proofs: [] }).primary_output?.id).toBe("short");
  const created = [thing("document", "short"), thing("document", "long")];
  expect(assembleReport(completed, { ...two, created, updated: [] }).primary_output?.id).toBe("long");
});

test("a run that made only tasks has no primary output unless it named one", () => {
  const tasks = { ...nothing, created: [thing("task", "t1")] };
  expect(assembleReport(completed, tasks).primary_output).toBeNull();
  const named = { ...tasks, closing: { ...closing, primaryOutput: { kind: "task", id: "t1" } } };
  expect(assembleReport(completed, named).primary_output).toMatchObject({ id: "t1", opening: "" });
});

const said = (text: string) => ({ at: "2030-01-01T00:00:00Z", kind: "steer" as const, question: null, text });
const howOf = (messages: RunRecord["messages"], honoured: Closing["honoured"]) =>
  assembleReport(completed, { ...nothing, messages, closing: { ...closing, honoured } }).messages.map(({ how }) => how);

test("each message stands with what the run says it did about it", () => {
  const messages = [said("Use grey, not blue!"), said("Keep it below one page.")];
  const honoured = [
    { message: "keep it below one page", how: "half a page" },
    { message: "Use grey", how: "all grey" },
  ];
  expect(howOf(messages, honoured)).toEqual(["all grey", "half a page"]);
});

test("a message told of in other words is found by its place", () =>
  expect(
    howOf(
      [said("Use grey"), said("One page")],
      [
        { message: "The color", how: "all grey" },
        { message: "one page", how: "half a page" },
      ],
    ),
  ).toEqual(["all grey", "half a page"]));

test("a message without a word stays without one, and what was never said is not told", () => {
  expect(howOf([said("Use grey"), said("One page")], [{ message: "something else", how: "yes" }])).toEqual([
    null,
    null,
  ]);
  expect(howOf([], [{ message: "never said", how: "yes" }])).toEqual([]);
});

const anyText = expect.stringContaining("documents together");

test("the last proof of a check counts, and a check without one is pending", () => {
  const proofs = [makeProof({ isGreen: false, seen: "120 words" }), makeProof()];
  expect(assembleReport(completed, { ...nothing, proofs }).checks).toEqual([
    { check: "document_has", about: anyText, is_green: true, state: "passed", seen: "420 words" },
  ]);
  expect(assembleReport(completed, nothing).checks).toEqual([
    { check: "document_has", about: anyText, is_green: false, state: "pending", seen: "" },
  ]);
});

test("a check that does not pass has failed in a run that stopped at a limit, and is pending in one that was paused", () => {
  const record = { ...nothing, proofs: [makeProof({ isGreen: false, seen: "120 words" })] };
  expect(assembleReport(stopped("max_iterations"), record).checks).toMatchObject([{ state: "failed" }]);
  expect(assembleReport(stopped("paused"), record).checks).toMatchObject([{ state: "pending" }]);
});

test.each([
  ["max_iterations", "max_iterations"],
  ["cost", "budget"],
  ["same_error", "no_progress"],
  ["provider_auth", "error"],
  ["paused", "paused"],
] as const)("a run stopped for %s is reported as %s", (reason, type) => {
  expect(assembleReport(stopped(reason), nothing).stopping_reason).toEqual({ type, detail: "why" });
});

test("a long objective makes a short title", () => {
  const { title } = assembleReport({ ...completed, objective: `${"word ".repeat(60)}\nsecond line` }, nothing);
  expect(title.length).toBeLessThan(110);
  expect(title).toMatch(/^Homework complete: word .*…$/);
});
