import { expect, test } from "vitest";
import { makeCheck, makeRun } from "../../../../test/helpers/make-run.ts";
import type { Proposal } from "../iteration-result.ts";
import type { Run, RunningRun } from "../run.ts";
import { adopt, hasReasonToAsk, mayLowerChecks, settleAwaited } from "./adopt.ts";
import type { CheckTarget } from "./check.ts";

const propose = (over: Partial<Proposal> = {}): Proposal => ({
  deliverables: [{ id: "page", title: "A page" }],
  checks: [makeCheck({ id: "new", deliverableId: "page" })],
  drops: [],
  why: "as you said",
  ...over,
});
const open = makeRun({ deliverables: [], checks: [makeCheck({ id: "given", deliverableId: null })] });
const idsOf = ({ checks }: Run) => checks.map(({ id, givenBy }) => `${givenBy} ${id}`);
const take = (run: RunningRun, proposed: Proposal | null, heard = 0) => adopt(run, { proposed, heard });
const promised = take(open, propose()).run;

test("the first promise counts, whenever it comes", () => {
  const late = { ...open, state: { status: "running", iteration: 4, hold: null } } as const;
  expect(idsOf(take(late, propose()).run)).toEqual(["user given", "planner new"]);
});
test("the planner alone can add a deliverable later", () => {
  const more = propose({
    deliverables: [{ id: "two", title: "Another" }],
    checks: [makeCheck({ id: "more", deliverableId: "two" })],
  });
  const added = take(promised, more);
  expect(idsOf(added.run)).toEqual(["user given", "planner new", "planner more"]);
  expect(added.changes).toEqual([expect.stringMatching(/^Added: .*300 words/)]);
});
test("the planner alone cannot drop what it promised", () =>
  expect(take(promised, propose({ checks: [], drops: ["new"] })).run).toBe(promised));
test("the planner alone cannot make its check easier", () => {
  const easier = makeCheck({ id: "new", deliverableId: "page", target: { kind: "judge", rubric: "fine" } });
  expect(take(promised, propose({ checks: [easier] })).run).toBe(promised);
});
test("a planner cannot replace what the user gave, nor pass its own off as the user's", () => {
  const sly = propose({
    checks: [makeCheck({ id: "given", deliverableId: "page", target: { kind: "plan_complete" } })],
  });
  expect(take(open, sly).run).toBe(open);
});

// What the user says may change what is wanted.
const words = (wordsAtLeast: number): CheckTarget => ({
  kind: "document_has",
  documentId: null,
  titleLike: "",
  headings: [],
  wordsAtLeast,
  sourcesAtLeast: 0,
});
const shorter = makeCheck({ id: "given", deliverableId: null, target: words(100) });

const everywhere = ["autopilot", "approve_plan", "per_write"] as const;
const inMode = (writeMode: (typeof everywhere)[number]): RunningRun => ({
  ...promised,
  permission: { writeMode, allowedTools: null },
});

test.each(everywhere)("in %s a change of the user's criterion waits for the user", (mode) => {
  const { run, changes, asked } = take(inMode(mode), propose({ deliverables: [], checks: [shorter] }), 1);
  expect([run.checks, run.awaited?.checks.map(({ id }) => id), changes]).toEqual([promised.checks, ["given"], []]);
  expect(asked).toEqual([expect.stringMatching(/^Changed: .*300 words.* → .*100 words/)]);
  expect(idsOf(settleAwaited(run, true))).toEqual(["user given", "planner new"]);
});
test.each(everywhere)("in %s what the user gave is dropped only by the user", (mode) => {
  const { run, asked, why } = take(inMode(mode), propose({ deliverables: [], checks: [], drops: ["given"] }), 1);
  expect([idsOf(run), why]).toEqual([["user given", "planner new"], "as you said"]);
  expect(asked).toEqual([expect.stringMatching(/^Dropped: .*asked for by the user/)]);
});
test("a higher bar is a change of the user's criterion, too", () =>
  expect(
    take(promised, propose({ deliverables: [], checks: [makeCheck({ ...shorter, target: words(500) })] }), 1).asked,
  ).toHaveLength(1));
test("the planner's own check changes at once beside a criterion that waits", () => {
  const own = makeCheck({ id: "new", deliverableId: "page", target: words(100) });
  const { run, changes, asked } = take(promised, propose({ checks: [own, shorter] }), 1);
  expect(run.checks.map(({ target }) => target)).toEqual([promised.checks[0]?.target, words(100)]);
  expect([changes.length, asked.length, run.awaited?.checks.map(({ id }) => id)]).toEqual([1, 1, ["given"]]);
});
test("what would not be sound without the user's approval waits with it", () => {
  const later = propose({
    deliverables: [{ id: "two", title: "Two" }],
    checks: [makeCheck({ id: "given", deliverableId: "two", target: words(100) })],
  });
  const { run, changes } = take(promised, later, 1);
  expect([run.checks, run.deliverables, changes]).toEqual([promised.checks, promised.deliverables, []]);
  expect(settleAwaited(run, true).deliverables.map(({ id }) => id)).toEqual(["page", "two"]);
});

// A change without a question must not wait for an answer: the judge would never be asked.
const given = makeCheck({ id: "given", deliverableId: null });
const headed = (...headings: readonly string[]) =>
  makeCheck({ id: "given", deliverableId: null, target: { ...words(300), headings } as CheckTarget });
test.each([
  ["dropped and named again as it was", headed("Method, results"), ["given"]],
  ["changed into what reads the same", headed("Method", "results"), []],
])("a criterion of the user's that is %s waits for nothing", (_what, check, drops) => {
  const before = { ...promised, checks: [headed("Method, results"), ...promised.checks.slice(1)] };
  const { run, asked } = take(before, propose({ deliverables: [], checks: [check], drops }), 1);
  expect([run.awaited, asked, run.checks]).toEqual([null, [], before.checks]);
});
test("what waited without a question is forgotten by the next iteration", () => {
  const { run } = take({ ...promised, awaited: propose({ checks: [], drops: ["given"] }) }, null);
  expect([run.awaited, run.checks]).toEqual([null, promised.checks]);
});

// The title is what the judge reads for.
const outline = propose({ deliverables: [{ id: "page", title: "Outline" }], checks: [] });
const titlesOf = ({ deliverables }: Run) => deliverables.map(({ title }) => title);
test("the planner alone cannot rename what it promised", () =>
  expect(titlesOf(take(promised, outline).run)).toEqual(["A page"]));
test("after a message a deliverable is renamed, and told", () => {
  const { run, changes, asked } = take(promised, outline, 1);
  expect([titlesOf(run), changes, asked]).toEqual([["Outline"], ["Renamed: “A page” → “Outline”"], []]);
});
const usersPage = {
  ...promised,
  checks: [makeCheck({ id: "given", deliverableId: "page" }), ...promised.checks.slice(1)],
};
test.each([
  ["where the user approves plans", inMode("approve_plan")],
  ["that a check of the user's is about", usersPage],
])("a deliverable %s is renamed only by the user", (_where, before) => {
  const { run, changes, asked } = take(before, outline, 1);
  expect([titlesOf(run), changes, asked]).toEqual([["A page"], [], ["Renamed: “A page” → “Outline”"]]);
  expect([titlesOf(settleAwaited(run, true)), titlesOf(settleAwaited(run, false))]).toEqual([["Outline"], ["A page"]]);
});
test("what a judge said of the old title is forgotten", () => {
  const judged = take({ ...inMode("approve_plan"), isJudged: true, deliverables: [], checks: [given] }, propose()).run;
  const { run } = take(judged, outline, 1);
  const seen = { checkId: "judge:page", isGreen: true, seen: "It is whole", iteration: 1, artifacts: [] };
  expect(settleAwaited({ ...run, lastProofs: [seen] }, true).lastProofs).toEqual([]);
});

const kept = { questionId: "approve-checks", text: "reject" };
test.each([
  [[{ questionId: null, text: "Monday" }, kept], false],
  [[kept, { questionId: null, text: "Shorter, please" }], true],
  [[{ questionId: null, text: "Monday" }], true],
  [[{ questionId: "q1", text: "no" }], true],
  [[{ questionId: "approve-checks", text: "no, but 200 are enough" }], true],
])("after %j, asking for a change has a reason: %j", (said, expected) => expect(hasReasonToAsk(said)).toBe(expected));
test("a deliverable goes with the last of its checks", () => {
  const { run } = take(promised, propose({ deliverables: [], checks: [], drops: ["new"] }), 1);
  expect([run.deliverables, idsOf(run)]).toEqual([[], ["user given"]]);
});
test("a message counts for the iteration that heard it and for the next one", () => {
  const at = (iteration: number) => ({ ...open, state: { status: "running", iteration, hold: null } }) as const;
  expect([1, 2, 3].map((n) => mayLowerChecks({ ...at(n), heardIn: 1 }, 0))).toEqual([true, true, false]);
  expect([mayLowerChecks(at(5), 1), mayLowerChecks(at(5), 0)]).toEqual([true, false]);
});

// Where the user approves plans, what they approved is theirs: the planner's own checks wait as well.
const approving = inMode("approve_plan");
const dropping = propose({ deliverables: [], checks: [], drops: ["given"] });

test.each([
  ["approve_plan", ["user given", "planner new"], true],
  ["autopilot", ["user given"], false],
] as const)("in %s, dropping a check of the planner's own leaves %j", (mode, left, isAsked) => {
  const { run } = take(inMode(mode), propose({ deliverables: [], checks: [], drops: ["new"] }), 1);
  expect([idsOf(run), run.awaited !== null]).toEqual([left, isAsked]);
});
test("an approved change is adopted, a rejected one forgotten", () => {
  const { run } = take(approving, dropping, 1);
  expect([idsOf(settleAwaited(run, true)), settleAwaited(run, true).awaited]).toEqual([["planner new"], null]);
  expect([idsOf(settleAwaited(run, false)), settleAwaited(run, false).awaited]).toEqual([
    ["user given", "planner new"],
    null,
  ]);
});
test("what was seen of a check that an approval changes is forgotten, of the others kept", () => {
  const seen = (checkId: string) => ({
    checkId,
    isGreen: false,
    seen: "0 tasks (at least 14)",
    iteration: 1,
    artifacts: [],
  });
  const lower = makeCheck({
    id: "new",
    deliverableId: "page",
    target: { kind: "entity_count", entity: "task", atLeast: 1 },
  });
  const { run } = take(approving, propose({ deliverables: [], checks: [lower] }), 1);
  const proven = { ...run, lastProofs: [seen("given"), seen("new")] };
  expect(proven.awaited).not.toBeNull();
  expect(settleAwaited(proven, true).lastProofs.map(({ checkId }) => checkId)).toEqual(["given"]);
  expect(settleAwaited(proven, false).lastProofs).toHaveLength(2);
});
test("in approve_plan a higher bar needs no approval", () => expect(take(approving, propose()).run.awaited).toBeNull());

// The judges are the platform's.
test("every deliverable gets a judge of the platform's, unless the user switched it off", () => {
  expect(idsOf(take({ ...open, isJudged: true }, propose()).run)).toEqual([
    "user given",
    "planner new",
    "platform judge:page",
  ]);
  expect(idsOf(take({ ...open, isJudged: false }, propose()).run)).toEqual(["user given", "planner new"]);
});
