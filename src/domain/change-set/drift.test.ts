import { expect, test } from "vitest";
import { drift } from "./drift.ts";
import { type RowImage, type StagedChange, toStagedChange, type WrittenRow } from "./staged-write.ts";

const row: RowImage = {
  id: "t1",
  project_id: "p1",
  title: "Buy tiles",
  content: "red",
  props: { a: 1, b: [1, 2] },
  version: 3,
  created_at: "2030-01-01T00:00:00Z",
  updated_at: "2030-01-01T00:00:00Z",
  updated_by_run: null,
  created_by_run: null,
  deleted_at: null,
};
const written: WrittenRow = {
  kind: "task",
  projectId: "p1",
  entityId: "t1",
  title: "Buy tiles",
  before: row,
  after: { ...row, content: "blue", version: 4, updated_at: "2030-01-02T00:00:00Z", updated_by_run: "r1" },
};
const make = (before: RowImage | null = {}, after: RowImage = {}): StagedChange =>
  toStagedChange({
    ...written,
    before: before && { ...row, ...before },
    after: { ...written.after, ...after },
  });
const approved = [make()];
/** What is different where the thing was, or would become, this instead. */
const driftOf = (before: RowImage | null, after: RowImage = {}) => drift(approved, [make(before, after)]);

test("the same again is no drift", () => expect(driftOf({})).toBeNull());

test.for([
  ["a later time", { updated_at: "2031-01-01T00:00:00Z" }, { updated_at: "2031-01-01T00:00:01Z" }],
  ["another version of the same words", { version: 9 }, { version: 10 }],
  ["another run's touch that left everything as it was", { updated_by_run: "r9" }, {}],
  ["keys in another order", { props: { b: [1, 2], a: 1 } }, {}],
] as const)("%s is no drift", ([, before, after]) => expect(driftOf(before, after)).toBeNull());

test.for([
  ["what was there", { content: "green" }, {}, "task “Buy tiles” was changed meanwhile: content “red” → “green”"],
  ["a title", { title: "Buy stones" }, {}, "task “Buy tiles” was changed meanwhile: title “Buy tiles” → “Buy stones”"],
  ["what will be there", {}, { content: "" }, "task “Buy tiles” would become different: content “blue” → empty"],
  [
    "a property",
    {},
    { props: { a: 1 } },
    'task “Buy tiles” would become different: props “{"a":1,"b":[1,2]}” → “{"a":1}”',
  ],
  [
    "who made it",
    { created_by_run: "r9" },
    {},
    "task “Buy tiles” was changed meanwhile: created_by_run nothing → “r9”",
  ],
  [
    "being in the bin",
    { deleted_at: "2031" },
    { deleted_at: "2031" },
    "task “Buy tiles” was changed meanwhile: deleted_at false → true",
  ],
] as const)("%s counts", ([, before, after, sentence]) => expect(driftOf(before, after)).toBe(sentence));

test("since when it lies in the bin does not count", () => {
  const binned = (at: string) => [make({}, { deleted_at: at })];
  expect(drift(binned("2031-01-01T00:00:00Z"), binned("2031-02-01T00:00:00Z"))).toBeNull();
});

test("making what was to be changed is drift, and so is changing what was to be made", () => {
  expect(driftOf(null)).toBe("task “Buy tiles” would be created instead of updated");
  expect(drift([make(null)], approved)).toBe("task “Buy tiles” would be updated instead of created");
});

test("touching less or more than was approved is drift", () => {
  expect(drift(approved, [])).toBe("task “Buy tiles” would no longer be updated");
  const other = { ...make(), entityId: "t2", title: "Sell\n2. tiles" };
  expect(drift(approved, [make(), other])).toBe("task “Sell 2. tiles” would now be updated");
});

test("a sentence names five differences and counts the rest", () => {
  const many = Array.from({ length: 8 }, (_, n) => ({ ...make(), entityId: `t${n}` }));
  const said = drift(many, [])?.split("; ");
  expect([said?.length, said?.at(-1)]).toEqual([6, "3 more"]);
});

test.for([
  ["created", null, null],
  ["updated", {}, null],
  ["deleted", {}, "2031"],
  ["restored", { deleted_at: "2030" }, null],
  ["updated", { deleted_at: "2030" }, "2031"],
] as const)("from what it was to what it is, it was %s", ([op, before, deletedAt]) =>
  expect(make(before, { deleted_at: deletedAt }).op).toBe(op),
);
