import { expect, test } from "vitest";
import { defaultLimits } from "./job.ts";
import { findMembers, hasLivingChild, makeFamily } from "./members.ts";
import { type ProcessRow, parsePsLine } from "./process-table.ts";
import { makeSampler, type Sampled } from "./sample-job.ts";
import { judgeWatch, type Observed } from "./watch-job.ts";

const minute = 60_000;
const calm: Observed = { runningMs: 0, hasOutput: true, outputSilentMs: 0, lifelessMs: 0, isWaiting: false };
const check = (over: Partial<Observed>, limits = {}) => {
  const { state, end } = judgeWatch({ ...calm, ...over }, { ...defaultLimits, ...limits });
  return [state, end?.cause ?? null];
};

test.each([
  ["at the beginning", {}, {}, ["active", null]],
  ["silent for less than five minutes", { lifelessMs: 5 * minute - 1 }, {}, ["active", null]],
  ["silent for five minutes", { lifelessMs: 5 * minute, outputSilentMs: 5 * minute }, {}, ["idle", "idle"]],
  ["at work without a word for fifteen", { outputSilentMs: 15 * minute }, {}, ["stuck", null]],
  ["waiting for an answer for a day", { lifelessMs: 23 * 60 * minute, isWaiting: true }, {}, ["waiting", null]],
  ["waiting beyond the limit", { runningMs: 24 * 60 * minute, isWaiting: true }, {}, ["waiting", "wall_clock"]],
  ["idle where idle is never", { lifelessMs: 60 * minute }, { idleMs: null }, ["active", null]],
  ["no first word", { hasOutput: false, runningMs: 10 }, { firstOutputMs: 10 }, ["active", "no_first_output"]],
  ["a first word", { hasOutput: true, runningMs: 10 }, { firstOutputMs: 10 }, ["active", null]],
])("%s", (_what, over, limits, wanted) => expect(check(over, limits)).toEqual(wanted));

const noMarks = { tag: "", shim: "", parentRun: "", runFolder: "", taskFolder: "" };
const row = (pid: number, over: Partial<ProcessRow> = {}): ProcessRow => ({
  pid,
  started: `s${pid}`,
  parent: 1,
  group: pid,
  cpuMs: 0,
  isPaused: false,
  marks: noMarks,
  ...over,
});
const self = { pid: 1_000, started: "s1000" };
const agent = { pid: 10, started: "s10" };
const tagged = (pid: number, tag: string, over: Partial<ProcessRow> = {}) =>
  row(pid, { marks: { ...noMarks, tag }, ...over });
const members = (rows: readonly ProcessRow[], family = makeFamily("t", agent)) =>
  findMembers(rows, family, self).map(({ pid }) => pid);

test("members: by tag, by group, by descent, and not those of other runs", () => {
  const rows = [
    row(10),
    row(11, { group: 10, parent: 1 }),
    row(12, { parent: 11 }),
    tagged(13, "t"),
    row(14, { parent: 13 }),
    tagged(20, "other", { parent: 10 }),
    row(21, { parent: 20 }),
    row(22, { parent: 10, marks: { ...noMarks, shim: "other" } }),
    tagged(1_000, "t"),
    row(30),
  ];
  expect(members(rows)).toEqual([10, 11, 13, 12, 14]);
});

test("members: a pid or a group of another process is not ours", () => {
  expect(members([row(10, { started: "later" }), row(11, { group: 10 })])).toEqual([]);
  expect(members([row(11, { group: 10 })])).toEqual([]);
  expect(members([row(11, { group: 10 })], makeFamily("t", agent, true))).toEqual([11]);
  expect(members([row(10, { started: "later" }), row(11, { group: 10 })], makeFamily("t", agent, true))).toEqual([]);
});

test("members: one that was seen is known when its parent has ended, and forgotten when it has", () => {
  const family = makeFamily("t", agent);
  expect(members([row(10), row(12, { parent: 10 })], family)).toEqual([10, 12]);
  expect(members([row(12)], family)).toEqual([12]);
  expect(members([row(12, { started: "later" })], family)).toEqual([]);
  expect(members([row(12)], family)).toEqual([]);
});

test("a child run is known by its parent's id", () => {
  const child = row(9, { marks: { ...noMarks, tag: "c", parentRun: "r1" } });
  expect([hasLivingChild([child], "r1"), hasLivingChild([child], "r2")]).toEqual([true, false]);
});

test("a line of ps", () => {
  expect(parsePsLine("  42     1    42 Mon Nov  6 07:10:40 2026 Ss   1-01:00:01")).toEqual([
    row(42, { started: "Mon.Nov.6.07.10.40.2026", cpuMs: 90_001_000 }),
  ]);
  expect(parsePsLine("42 1 42 Mon Nov 16 07:10:40 2026 S 3:04.50")[0]?.cpuMs).toBe(184_500);
  expect([...parsePsLine("42 1 42 Mon Nov 16 07:10:40 2026 Z 0:00.00"), ...parsePsLine("nonsense")]).toEqual([]);
});

function beginSampling() {
  let rows: readonly ProcessRow[] = [row(10)];
  const bus = { file: "", root: null } as unknown as Sampled["bus"];
  const sampled = { family: makeFamily("t", agent), self, table: () => rows, bus, runId: "r1", everyMs: 1_000 };
  const sample = makeSampler(sampled, 0);
  const show = (next: readonly ProcessRow[]) => {
    rows = next;
  };
  return { sample, show };
}

test("output and a process at work are signs of life, a little processor time is not", () => {
  const { sample, show } = beginSampling();
  expect(sample({ nowMs: 1_000, outputBytes: 5 })).toMatchObject({ hasOutput: true, lifelessMs: 0 });
  show([row(10, { cpuMs: 10 })]);
  expect(sample({ nowMs: 2_000, outputBytes: 5 })).toMatchObject({ outputSilentMs: 1_000, lifelessMs: 1_000 });
  show([row(10, { cpuMs: 10 }), tagged(11, "t", { cpuMs: 500 })]);
  expect(sample({ nowMs: 3_000, outputBytes: 5 })).toMatchObject({ outputSilentMs: 2_000, lifelessMs: 0 });
});

test("a living child run is a sign of life", () => {
  const { sample, show } = beginSampling();
  show([row(10), row(50, { marks: { ...noMarks, tag: "c", parentRun: "r1" } })]);
  expect(sample({ nowMs: 1_000, outputBytes: 0 })).toMatchObject({ lifelessMs: 0 });
});

test("a clock that is set, or a machine that slept, does not make an agent idle", () => {
  const { sample } = beginSampling();
  sample({ nowMs: 1_000, outputBytes: 0 });
  expect(sample({ nowMs: 3_600_000, outputBytes: 0 })).toMatchObject({ runningMs: 4_000 });
  expect(sample({ nowMs: 5_000, outputBytes: 0 })).toMatchObject({ runningMs: 4_000 });
  expect(sample({ nowMs: 6_000, outputBytes: 0 })).toMatchObject({ runningMs: 5_000 });
});
