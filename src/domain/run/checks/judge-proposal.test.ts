import { expect, test } from "vitest";
import { makeCheck, makeRun } from "../../../../test/helpers/make-run.ts";
import type { Proposal } from "../iteration-result.ts";
import type { CheckTarget } from "./check.ts";
import { judgeProposal } from "./judge-proposal.ts";

const fresh = makeRun({ deliverables: [], checks: [] });

function check(proposal: Partial<Proposal>, problem: RegExp | null, { run = fresh, mayLower = false } = {}): void {
  const whole = {
    deliverables: [{ id: "d", title: "A page" }],
    checks: [measure({})],
    drops: [],
    why: "as you said",
    ...proposal,
  };
  const judged = judgeProposal(run, whole, mayLower);
  if (problem === null) expect(judged).toMatchObject({ ok: true });
  else expect(judged.ok ? [] : judged.problems).toEqual(expect.arrayContaining([expect.stringMatching(problem)]));
}

const has = (over: object): CheckTarget => ({
  kind: "document_has",
  documentId: null,
  titleLike: "",
  headings: [],
  wordsAtLeast: 0,
  sourcesAtLeast: 0,
  ...over,
});
const measure = (over: object, id = "c") =>
  makeCheck({ id, deliverableId: "d", target: has({ wordsAtLeast: 200, ...over }) });
const aim = (target: CheckTarget) => [makeCheck({ id: "c", deliverableId: "d", target })];

test("a deliverable with a check that measures it is accepted", () => check({}, null));
test("a deliverable without a check is refused", () => check({ checks: [] }, /"d" has no check that measures it/));
test("nothing at all is refused", () => check({ deliverables: [], checks: [] }, /Nothing is proposed/));
test("a judge alone does not measure", () =>
  check({ checks: aim({ kind: "judge", rubric: "good" }) }, /no check that measures/));
test("one word does not measure a document", () =>
  check({ checks: aim(has({ wordsAtLeast: 1 })) }, /no check that measures/));
test("39 words do not, 40 do", () => {
  check({ checks: aim(has({ wordsAtLeast: 39 })) }, /no check that measures/);
  check({ checks: aim(has({ wordsAtLeast: 40 })) }, null);
});
test("a heading or a source measures a document", () => {
  check({ checks: aim(has({ headings: ["Costs"] })) }, null);
  check({ checks: aim(has({ sourcesAtLeast: 1 })) }, null);
  check({ checks: aim(has({ headings: [" "] })) }, /no check that measures/);
});
test("a count measures tasks, but not documents", () => {
  check({ checks: aim({ kind: "entity_count", entity: "task", atLeast: 5 }) }, null);
  check({ checks: aim({ kind: "entity_count", entity: "document", atLeast: 5 }) }, /no check that measures/);
});
test("a kind of thing that there is not is refused", () =>
  check(
    { checks: aim({ kind: "entity_count", entity: "banana", atLeast: 1 }) },
    /no things of kind "banana"; use one of task/,
  ));
test("a kind of check that the planner engine cannot run is refused", () =>
  check({ checks: aim({ kind: "command_succeeds", program: "make", args: [] }) }, /needs the agent engine/));
test("a check for something that was not promised is refused", () =>
  check({ checks: [measure({}), makeCheck({ id: "x", deliverableId: "other" })] }, /"x" belongs to no deliverable/));
test("ids of the platform's are refused", () =>
  check({ checks: [measure({}), measure({}, "judge:d")] }, /"judge:d" is the platform's/));
test("two of the same id are refused", () => check({ checks: [measure({}), measure({})] }, /"c" stands there twice/));
test("the 51st check is refused, the 50th is not", () => {
  const many = (count: number) => Array.from({ length: count }, (_, n) => measure({}, `c${n}`));
  check({ checks: many(51) }, /50 checks at most/);
  check({ checks: many(50) }, null);
});
test("the 21st deliverable is refused", () => {
  const many = Array.from({ length: 21 }, (_, n) => ({ id: `d${n}`, title: "One" }));
  check(
    { deliverables: many, checks: many.map(({ id }) => makeCheck({ id, deliverableId: id })) },
    /20 deliverables at most/,
  );
});

const promised = makeRun({ deliverables: [{ id: "d", title: "A page" }], checks: [measure({}, "old")] });
test("a check cannot be dropped without a word of the user", () => {
  check({ deliverables: [], checks: [], drops: ["old"] }, /"old" stays/, { run: promised });
  check({ drops: ["old"] }, null, { run: promised, mayLower: true });
});
test("a check is dropped with a reason only", () =>
  check({ drops: ["old"], why: " " }, /Say in why/, { run: promised, mayLower: true }));
test("what is added needs none", () => check({ why: "" }, null));
test("what is not there cannot be dropped", () =>
  check({ drops: ["none"] }, /no check "none" to drop/, { run: promised, mayLower: true }));
test("a deliverable is not renamed without a word of the user, and only with a reason", () => {
  const renaming = { deliverables: [{ id: "d", title: "An outline" }], checks: [] };
  check(renaming, /"d" stays “A page”/, { run: promised });
  check(renaming, null, { run: promised, mayLower: true });
  check({ ...renaming, why: "" }, /Say in why/, { run: promised, mayLower: true });
});
test("a check that is dropped and named again as it was changes nothing", () =>
  check({ checks: [measure({}, "old")], drops: ["old"], why: "" }, null, { run: promised }));
test("not everything can be dropped", () =>
  check({ deliverables: [], checks: [], drops: ["old"] }, /Nothing would be left/, { run: promised, mayLower: true }));
test("the same check again changes nothing", () =>
  check({ deliverables: [], checks: [measure({}, "old")] }, null, { run: promised }));
