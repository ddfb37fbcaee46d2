import { expect, test } from "vitest";
import { planCheck } from "../run/checks/adopt.ts";
import type { Check, Proof } from "../run/checks/check.ts";
import type { Guidance } from "../run/run.ts";
import { doneCheck } from "./done-check.ts";
import { listReasons, readLastStart } from "./last-start.ts";

const judge = (id: string): Check => ({
  id,
  deliverableId: null,
  target: { kind: "judge", rubric: "It is right." },
  givenBy: "platform",
});
const tests: Check = {
  id: "tests",
  deliverableId: null,
  target: { kind: "command_succeeds", program: "npm", args: ["test"] },
  givenBy: "user",
};
const proof = (checkId: string, isGreen: boolean, seen: string): Proof => ({
  checkId,
  isGreen,
  seen,
  artifacts: [],
  iteration: 1,
});
const found = "the reviewer found 1 problem:\n1. a.ts:1 “x”: Wrong.";
const mend: Guidance = { next: "mend_what_failed", why: `The agent says it is done, but ${found}` };

function check(lastProofs: readonly Proof[], guidance: Guidance | null, hadDone: boolean | null = null) {
  return readLastStart(
    { checks: [planCheck, doneCheck, tests, judge("one"), judge("two")], lastProofs, guidance },
    hadDone,
  );
}

test("findings are told once, however many judges and however often the gate repeats them", () => {
  const proofs = [proof(planCheck.id, true, "done"), proof("one", false, found), proof("two", false, found)];
  expect(check(proofs, mend)).toEqual({ hasClaimed: true, points: [found], why: null });
});

test("without DONE there is neither an open step nor a judge that was not asked nor remaining work to tell of", () => {
  const proofs = [
    proof(planCheck.id, false, "open: Water the pl"),
    proof(doneCheck.id, false, "DONE is not there"),
    proof("one", false, "not asked yet: other checks did not pass"),
  ];
  const last = check(proofs, { next: "as_planned", why: "Work remains" });
  expect(last).toEqual({ hasClaimed: false, points: [], why: null });
});

test("a check that did not pass is told, with DONE and without", () => {
  const proofs = [proof("tests", false, "npm test ended with exit code 1.")];
  for (const hadDone of [true, false])
    expect(check(proofs, mend, hadDone)).toMatchObject({ hasClaimed: hadDone, points: [proofs[0]?.seen] });
});

test.each([
  ["the user has said something", { next: "replan", why: "You wrote something" }, "The user has said something new"],
  ["a breaker has tripped", { next: "recover", why: "3 iterations without change" }, "3 iterations without change"],
  ["the state names work", { next: "as_planned", why: "Work remains" }, "DONE was created although"],
  ["nothing is known", null, "look whether anything is missing"],
] as const)("DONE where every check passed has a reason all the same: %s", (_, guidance, words) => {
  const [reason = ""] = listReasons(check([proof(doneCheck.id, true, "DONE is there.")], guidance));
  expect(reason).toContain(words);
});

test("what was seen of DONE counts more than what the checks say", () => {
  expect(check([proof(doneCheck.id, true, "DONE is there.")], mend, false).hasClaimed).toBe(false);
});
