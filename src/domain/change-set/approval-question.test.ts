import { expect, test } from "vitest";
import { approvalQuestion, summaryOf } from "./approval-question.ts";
import { changedFields } from "./fields.ts";
import type { StagedChange, StagedWrite } from "./staged-write.ts";

const after = { id: "t1", project_id: "p1", title: "Buy tiles", content: "", props: {}, priority: 2, version: 1 };
const makeChange = (over: Partial<StagedChange> = {}): StagedChange => ({
  op: "created",
  kind: "task",
  projectId: "p1",
  entityId: "t1",
  title: "Buy tiles",
  before: null,
  after,
  ...over,
});
const makeWrite = (over: Partial<StagedWrite> = {}): StagedWrite => ({
  id: "w1",
  position: 1,
  iteration: 1,
  entryKey: "tool:0",
  branchId: null,
  seed: { iteration: 1, entryKey: "tool:0" },
  tool: "create_task",
  args: {},
  why: "",
  note: "",
  changes: [makeChange()],
  state: "pending",
  stagedAt: "2030-01-01T00:00:00Z",
  decidedAt: null,
  decidedBy: null,
  appliedAt: null,
  ...over,
});
const linesFor = (over: Partial<StagedWrite>) =>
  approvalQuestion([makeWrite(over)], "UTC")
    .text.split("\n")
    .slice(1, -1);

test("a new thing is shown with what is in it", () => {
  expect(linesFor({})).toEqual(["1. Create task “Buy tiles”", "   priority: 2"]);
});

test("a change is shown with what it was", () => {
  const before = { ...after, title: "Buy stones", priority: null, version: 0 };
  expect(linesFor({ changes: [makeChange({ op: "updated", before })] })).toEqual([
    "1. Change task “Buy tiles”",
    "   title: “Buy stones” → “Buy tiles”",
    "   priority: nothing → 2",
  ]);
});

test("what goes to the bin has no fields to show", () => {
  const gone = makeChange({ op: "deleted", before: after, after: { ...after, deleted_at: "2030", version: 2 } });
  expect(linesFor({ changes: [gone] })).toEqual(["1. Put in the bin task “Buy tiles”"]);
});

test("the model's words are quoted on one line, so that they cannot pass for ours", () => {
  const lines = linesFor({ why: "Because.\n2. create task “Harmless”\u2028   title: x", changes: [] });
  expect(lines).toEqual(["1. create_task", "   reason: “Because. 2. create task “Harmless” title: x”"]);
  expect(linesFor({ changes: [makeChange({ title: "A\n2. B" })] })[0]).toBe("1. Create task “A 2. B”");
});

test("long values are cut, and so are long lists", () => {
  expect(linesFor({ changes: [makeChange({ after: { content: "x".repeat(3_000_000) } })] })[1]).toHaveLength(94);
  const many = Array.from({ length: 100 }, (_, n) => makeWrite({ position: n + 1 }));
  const { text } = approvalQuestion(many as [StagedWrite, ...StagedWrite[]], "UTC");
  expect(text).toContain("Review 100 changes");
  expect(text).toContain("… and 80 more");
  expect(text.length).toBeLessThan(4_000);
});

test("pages that the run keeps for itself come last, and are not counted", () => {
  const page = makeChange({
    kind: "document",
    title: "Scratchpad",
    after: { type_key: "document.homework.scratchpad" },
  });
  const { text } = approvalQuestion(
    [makeWrite({ position: 1, changes: [page] }), makeWrite({ position: 2, changes: [makeChange()] })],
    "UTC",
  );
  expect(text).toMatch(/^Review 1 change and the run's own notes\. .*\n2\. Create task “Buy tiles”/);
  expect(approvalQuestion([makeWrite({ changes: [page] })], "UTC").text).toMatch(/^Review 1 change\. /);
});

test("what else a write touches is named", () => {
  const link = makeChange({
    kind: "edge",
    title: "Kitchen needs Buy tiles",
    after: { rel: "needs", src_kind: "goal" },
  });
  expect(linesFor({ changes: [makeChange(), link] }).slice(2)).toEqual([
    "   also: create link “Kitchen needs Buy tiles”",
  ]);
  expect(summaryOf(makeWrite({ changes: [makeChange(), link] }))).toBe("create task “Buy tiles” and 1 more");
});

test("how something is filed is not asked about, and names of fields are words", () => {
  const filed = { ...after, type_key: "task.default", state_key: "todo", parent_id: "d1", due_at: "2030-02-01" };
  const created = linesFor({ changes: [makeChange({ after: filed })] });
  expect(created).toEqual(["1. Create task “Buy tiles”", "   priority: 2", "   due: 2030-02-01"]);
  const moved = makeChange({ op: "updated", before: filed, after: { ...filed, state_key: "done", parent_id: "d2" } });
  expect(linesFor({ changes: [moved] })).toEqual(["1. Change task “Buy tiles”", "   state: “todo” → “done”"]);
});

test("it says why someone is asked again", () => {
  expect(linesFor({ note: "task “X” was changed meanwhile" }).at(-1)).toBe(
    "   asked again: task “X” was changed meanwhile",
  );
});

test("the order of keys in properties is no change", () => {
  const before = { ...after, props: { a: 1, b: 2 } };
  const change = makeChange({ op: "updated", before, after: { ...after, props: { b: 2, a: 1 } } });
  expect(changedFields(change)).toEqual([]);
});

test("a due date is said as the day of the user", () => {
  const write = makeWrite({ changes: [makeChange({ after: { due_at: "2031-05-18T06:59:59+00:00" } })] });
  expect(approvalQuestion([write], "America/Los_Angeles").text).toContain("due: 2031-05-17\n");
  expect(approvalQuestion([write], "UTC").text).toContain("due: 2031-05-18 06:59\n");
});
