import { expect, test } from "vitest";
import type { RunReport } from "../../../../../src/protocol/api.ts";
import { outcomeWords } from "./report-words.ts";

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
  check_changes: [],
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
