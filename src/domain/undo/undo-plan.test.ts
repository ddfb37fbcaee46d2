import { expect, test } from "vitest";
import { isNothingLeft, type Obstacle, planUndo, refOf, type Touched, type Trace } from "./undo-plan.ts";

const trace: Trace = { at: "2030-01-01T00:00:00.000Z", op: "updated", userId: "anna", userName: "Anna", runId: null };

const touched = (over: Partial<Touched> = {}): Touched => ({
  kind: "task",
  id: "t1",
  projectId: "p",
  title: "A task",
  firstSeq: 1,
  isMade: true,
  isThere: true,
  wasBinned: false,
  mayWrite: true,
  isShared: false,
  changedSince: null,
  ...over,
});
const changed = { isMade: false } as const;
const byAnna = { last: trace, count: 1 };

const link: Obstacle = {
  ref: "task:t1",
  reason: "in_use",
  by: { kind: "edge", id: "e9", projectId: "p", title: "needs", trace },
  linkId: "e9",
};

/** What becomes of one thing, in a few words. */
function check(
  over: Partial<Touched>,
  expected: string,
  { skip = false, force = false, obstacles = [] as readonly Obstacle[] } = {},
) {
  const thing = touched(over);
  const ref = new Set([refOf(thing)]);
  const none = new Set<string>();
  const plan = planUndo([thing], obstacles, { skip: skip ? ref : none, force: force ? ref : none });
  const words = [
    ...plan.remove.map(() => "removed"),
    ...plan.restore.map(() => "put back"),
    ...plan.unlink.map((id) => `unlinks ${id}`),
    ...plan.kept.map(() => "kept"),
    ...plan.skipped.map(() => "skipped"),
    ...plan.conflicts.map(({ reason, canForce }) => `${reason}${canForce ? "" : " for good"}`),
  ];
  expect(words.join(", ")).toBe(expected);
}

test("what it made goes away", () => check({}, "removed"));
test("what it changed is put back", () => check(changed, "put back"));
test("what it made and is gone already needs nothing", () => check({ isThere: false }, ""));
test("what it changed and is gone is put back all the same", () => check({ ...changed, isThere: false }, "put back"));
test("what somebody changed since is asked about", () =>
  check({ ...changed, changedSince: byAnna }, "put back, changed_since"));
test("a made thing that somebody changed since is asked about", () =>
  check({ changedSince: byAnna }, "removed, changed_since"));
test("a named change is overwritten", () => check({ ...changed, changedSince: byAnna }, "put back", { force: true }));
test("a skipped thing is left alone", () => check({ changedSince: byAnna }, "skipped", { skip: true }));
test("where one may not write any more is asked about, and force does not help", () => {
  check({ mayWrite: false }, "no_access for good");
  check({ mayWrite: false }, "no_access for good", { force: true });
  check({ mayWrite: false }, "skipped", { skip: true });
});
test("somebody's link to a made thing is asked about", () => check({}, "removed, in_use", { obstacles: [link] }));
test("somebody's link goes where that was named", () =>
  check({}, "removed, unlinks e9", { obstacles: [link], force: true }));
test("what cannot be taken out of the way stays a conflict", () =>
  check({}, "removed, in_use for good", { obstacles: [{ ...link, linkId: null }], force: true }));
test("the place for all runs' pages stays while it is used, and that is no conflict", () => {
  check({ isShared: true }, "kept", { obstacles: [{ ...link, linkId: null }] });
  check({ isShared: true }, "removed");
});

test("nothing is left when nothing would be done or asked", () => {
  const choice = { skip: new Set<string>(), force: new Set<string>() };
  expect(isNothingLeft(planUndo([touched({ isThere: false })], [], choice))).toBe(true);
  expect(isNothingLeft(planUndo([touched()], [], choice))).toBe(false);
  expect(isNothingLeft(planUndo([touched()], [], { ...choice, skip: new Set(["task:t1"]) }))).toBe(true);
  expect(isNothingLeft(planUndo([touched({ mayWrite: false })], [], choice))).toBe(false);
});
