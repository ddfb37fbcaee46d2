import { expect, test } from "vitest";
import { makeProof, makeRun } from "../../../test/helpers/make-run.ts";
import { assembleReport, type RunRecord } from "./report.ts";
import type { Run, RunState } from "./run.ts";

const nothing: RunRecord = { created: [], updated: [], linked: [], proofs: [], iterations: 7, narrative: null };
const endedAs = (state: RunState, over: Partial<Run> = {}): Run => ({ ...makeRun(), ...over, state });
const completed = endedAs({ status: "completed", iteration: 7, proofs: [makeProof()] });
const stopped = (reason: "max_iterations" | "cost" | "same_error" | "provider_auth" | "paused") =>
  endedAs({ status: "stopped", iteration: 2, reason, detail: "why" });

test("what changed is what the store recorded, whatever the model tells", () => {
  const created = [{ type: "document", id: "d1", title: "Report" }];
  const report = assembleReport(completed, { ...nothing, created, narrative: "I wrote five books." });
  expect(report.what_changed.created).toEqual(created);
  expect(report.artifacts.documents).toEqual([{ id: "d1", title: "Report" }]);
  expect(report.summary).toBe("I wrote five books.");
});

test("a document that was created and then changed is listed once", () => {
  const document = { type: "document", id: "d1", title: "Report" };
  const report = assembleReport(completed, { ...nothing, created: [document], updated: [document] });
  expect(report.artifacts.documents).toHaveLength(1);
});

test("without a narrative the facts are put into sentences", () => {
  const spent = { runningMs: 125_000, costMicroUsd: 830_000, tokens: 18_423, toolCalls: 9, unpricedCalls: 0 };
  const { summary, metrics } = assembleReport({ ...completed, spent }, { ...nothing, proofs: [makeProof()] });
  expect(summary).toContain("7 iterations in 2 minutes");
  expect(summary).toContain("1 of 1 check is green");
  expect(metrics).toMatchObject({
    iterations: 7,
    duration_ms: 125_000,
    total_tokens: 18_423,
    total_cost_micro_usd: 830_000,
  });
});

const anyText = expect.stringContaining("documents together");

test("the last proof of a check counts, and a check without one is not green", () => {
  const proofs = [makeProof({ isGreen: false, seen: "120 words" }), makeProof()];
  expect(assembleReport(completed, { ...nothing, proofs }).checks).toEqual([
    { check: "document_has", about: anyText, is_green: true, seen: "420 words" },
  ]);
  expect(assembleReport(completed, nothing).checks).toEqual([
    { check: "document_has", about: anyText, is_green: false, seen: "was not looked at" },
  ]);
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
