import { expect, test } from "vitest";
import { makeRun } from "../../../test/helpers/make-run.ts";
import type { Run } from "./run.ts";
import { deathsMax, take } from "./take.ts";

const inLine: Run = { ...makeRun(), state: { status: "queued", iteration: 1, hasSlot: false } };
const withSlot: Run = { ...makeRun(), state: { status: "queued", iteration: 1, hasSlot: true } };

test("taking a run raises its fence and makes it running", () => {
  const taken = take(withSlot, 1, 1);
  expect(taken).toMatchObject({ kind: "taken", run: { fence: withSlot.fence + 1, state: { status: "running" } } });
});
test("the first attempt says that the run has started, the next one does not", () => {
  const events = (attempt: number) => JSON.stringify(take(withSlot, 1, attempt)).includes("run_started");
  expect([events(1), events(2)]).toEqual([true, false]);
});
test("a run in line without a slot cannot be taken", () => expect(take(inLine, 1, 1).kind).toBe("stale"));
test("a job of another iteration is stale", () => expect(take(makeRun(), 2, 1).kind).toBe("stale"));
test("a job of a run that has ended is stale", () =>
  expect(take({ ...makeRun(), state: { status: "canceled", iteration: 1 } }, 1, 1).kind).toBe("stale"));
test("a new iteration takes up what the user said; one that has begun leaves it to the next", () => {
  const unread = (hasBegun: boolean) => {
    const taken = take({ ...withSlot, unreadMessages: 2 }, 1, 2, hasBegun);
    return taken.kind === "taken" && taken.run.unreadMessages;
  };
  expect([unread(false), unread(true)]).toEqual([0, 2]);
});
test("an iteration that no worker survives fails the run", () => {
  expect(take({ ...makeRun(), deaths: deathsMax }, 1, 99).kind).toBe("taken");
  expect(take({ ...makeRun(), deaths: deathsMax + 1 }, 1, 99)).toMatchObject({
    kind: "given_up",
    move: { run: { state: { status: "failed" } } },
  });
});
