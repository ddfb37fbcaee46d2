import { expect, test } from "vitest";
import { tone } from "../../../lib/tones.ts";
import {
  activityColor,
  causeWords,
  groupByDay,
  listDetail,
  splitNumbers,
  textDetail,
  verdictColor,
  verdictWords,
} from "./activity-words.ts";

test("a checked result has the colour of its verdict", () => {
  const colorOf = (details: Record<string, unknown>) => activityColor({ type: "observation", details });
  expect([colorOf({ on_track: true }), colorOf({ on_track: false }), colorOf({})]).toEqual([
    tone.passed,
    tone.failure,
    tone.plain,
  ]);
});

test("numbers of tasks are parts of their own", () =>
  expect(splitNumbers("Told #1: as #12").map(({ text, number }) => [text, number])).toEqual([
    ["Told ", null],
    ["#1", 1],
    [": as ", null],
    ["#12", 12],
    ["", null],
  ]));

test("a correction says what went off course", () =>
  expect(causeWords({ type: "steering", cause: { kind: "drift", drift: "scope_creep" } })).toBe(
    "The result went off course: did more than asked.",
  ));

test("an observation needs no cause of its own", () =>
  expect(causeWords({ type: "observation", cause: { kind: "discovery" } })).toBeNull());

test("a verdict is one line", () =>
  expect(verdictWords({ on_track: false, alignment_score: 40, quality: "needs_work" })).toBe(
    "Off course · 40 of 100 · Needs work",
  ));

test("only a result that is there and fits is green", () =>
  expect(
    [
      { on_track: true, has_succeeded: true },
      { on_track: true, has_succeeded: false },
      { on_track: false, has_succeeded: true },
    ].map(verdictColor),
  ).toEqual([tone.passed, tone.plain, tone.failure]));

test("details of another shape are left out", () => {
  const line = { details: { reason: 3, task_ids: ["a", 1], made_id: "" } };
  expect([textDetail(line, "reason"), textDetail(line, "made_id"), listDetail(line, "task_ids")]).toEqual([
    null,
    null,
    ["a"],
  ]);
});

test("lines of one day stand together", () => {
  const at = (created_at: string) => ({ created_at });
  const groups = groupByDay([at("2030-01-02T10"), at("2030-01-02T09"), at("2030-01-01T10")], (text) =>
    text.slice(0, 10),
  );
  expect(groups.map(({ day, lines }) => [day, lines.length])).toEqual([
    ["2030-01-02", 2],
    ["2030-01-01", 1],
  ]);
});
