import { expect, test } from "vitest";
import type { RunOutput, RunReport } from "../../../../../src/protocol/api.ts";
import { figuresOf, fileNameOf, missingPlaces, outcomeWords, thingsById } from "./report-words.ts";

const check = (isGreen: boolean) => ({
  check: "document_has",
  about: "a",
  is_green: isGreen,
  state: isGreen ? ("passed" as const) : ("failed" as const),
  seen: "b",
});
const report = (over: Partial<RunReport> = {}): RunReport => ({
  title: "Homework complete: Compare bikes",
  objective: "Compare bikes",
  status: "completed",
  language: "en",
  work: null,
  primary_output: null,
  summary: "Done.",
  open_questions: [],
  unsure: [],
  messages: [],
  what_changed: {
    created: [{ type: "document", id: "d1", title: "Report", project_id: null }],
    updated: [],
    linked: [],
    counts: [{ type: "document", created: 1, updated: 0 }],
  },
  artifacts: { plans: [], documents: [] },
  checks: [check(true), check(true)],
  metrics: {
    iterations: 7,
    duration_ms: 125_000,
    total_tokens: 18_423,
    cached_tokens: null,
    total_cost_micro_usd: 830_000,
    total_cost_usd: 0.83,
    tool_calls: 9,
    unpriced_calls: 0,
  },
  stopping_reason: { type: "completed", detail: "2 checks are green" },
  ...over,
});
const output = (over: Partial<RunOutput>): RunOutput => ({
  id: "d1",
  op: "created",
  kind: "document",
  project_id: "p1",
  title: "Report",
  first_iteration: 1,
  last_iteration: 1,
  writes: 1,
  is_there: true,
  is_gone: false,
  is_bookkeeping: false,
  at: "2026-01-01T00:00:00Z",
  ...over,
});

test.each([
  [report(), null, "The run is done. 2 of 2 checks passed."],
  [report({ checks: [check(true)] }), null, "The run is done. 1 of 1 check passed."],
  [
    report({ status: "stopped", checks: [check(true), check(false)] }),
    { type: "cost", detail: "" },
    "The run stopped before it was done, because it used all its money. 1 of 2 checks passed.",
  ],
  [report({ status: "failed" }), null, "The run failed and could not go on."],
  [report({ status: "canceled" }), null, "You canceled the run before it was done."],
] as const)("how it ended, in a sentence (%#)", (given, stop, words) =>
  expect(outcomeWords({ report: given, stop_reason: stop })).toBe(words),
);

test("figures are read as people read them", () =>
  expect(figuresOf(report()).map(({ name, value }) => `${name}: ${value}`)).toEqual([
    "Cost: $0.8300",
    "Tokens: 18,423",
    "Active time: 2m 05s",
    "Iterations: 7",
    "Tool calls: 9",
  ]));

test("a thing of the report has a page once the outputs tell where it is", () => {
  expect(thingsById(report(), []).get("d1")).toMatchObject({ kind: "document", projectId: null });
  expect(thingsById(report(), [output({})]).get("d1")).toMatchObject({ title: "Report", projectId: "p1" });
});

test("a thing that is not there any more has no page", () =>
  expect(thingsById(report(), [output({ is_there: false })]).get("d1")?.projectId).toBeNull());

test("what the outputs have not told of yet is asked for", () => {
  expect(missingPlaces(report(), [])).toEqual(["d1"]);
  expect(missingPlaces(report(), [output({})])).toEqual([]);
});

test.each([
  ["Homework complete: Compare 3 bikes!", "homework-complete-compare-3-bikes.md"],
  ["../../etc/passwd", "etc-passwd.md"],
  ["***", "report.md"],
  ["שלום עולם", "שלום-עולם.md"],
  [`${"a".repeat(200)}`, `${"a".repeat(80)}.md`],
])("the file for %s", (title, name) => expect(fileNameOf(report({ title }))).toBe(name));
