import { expect, test } from "vitest";
import { makeCheck, makeRun } from "../../../test/helpers/make-run.ts";
import { adopt, mayLowerChecks, settleAwaited } from "./adopt.ts";
import type { Proposal } from "./iteration-result.ts";
import type { Run, RunningRun } from "./run.ts";

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
const shorter = makeCheck({
  id: "given",
  deliverableId: null,
  target: {
    kind: "document_has",
    documentId: null,
    titleLike: "",
    headings: [],
    wordsAtLeast: 100,
    sourcesAtLeast: 0,
  },
});

test("after a message, a check of the user's may change, and stays the user's", () => {
  const { run, changes } = take(promised, propose({ deliverables: [], checks: [shorter] }), 1);
  expect(idsOf(run)).toEqual(["user given", "planner new"]);
  expect(changes).toEqual([expect.stringMatching(/^Changed: .*300 words.* → .*100 words/)]);
});
test("after a message, a check may be dropped, and the user is told", () => {
  const { run, changes, why } = take(promised, propose({ deliverables: [], checks: [], drops: ["given"] }), 1);
  expect([idsOf(run), why]).toEqual([["planner new"], "as you said"]);
  expect(changes).toEqual([expect.stringMatching(/^Dropped: .*asked for by the user/)]);
});
test("a deliverable goes with the last of its checks", () => {
  const { run } = take(promised, propose({ deliverables: [], checks: [], drops: ["new"] }), 1);
  expect([run.deliverables, idsOf(run)]).toEqual([[], ["user given"]]);
});
test("a message counts for the iteration that heard it and for the next one", () => {
  const at = (iteration: number) => ({ ...open, state: { status: "running", iteration, hold: null } }) as const;
  expect([1, 2, 3].map((n) => mayLowerChecks({ ...at(n), heardIn: 1 }, 0))).toEqual([true, true, false]);
  expect([mayLowerChecks(at(5), 1), mayLowerChecks(at(5), 0)]).toEqual([true, false]);
});

// Where the user approves plans, they approve changed checks as well.
const approving: RunningRun = { ...promised, permission: { writeMode: "approve_plan", allowedTools: null } };
const dropping = propose({ deliverables: [], checks: [], drops: ["given"] });

test("in approve_plan a lower bar waits for approval", () => {
  const { run } = take(approving, dropping, 1);
  expect([idsOf(run), run.awaited?.drops]).toEqual([["user given", "planner new"], ["given"]]);
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
