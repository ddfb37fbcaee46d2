import { expect, test } from "vitest";
import { changedFields } from "./fields.ts";
import type { StagedChange } from "./staged-write.ts";

const change = (before: object | null, after: object): StagedChange => ({
  op: before === null ? "created" : "updated",
  kind: "task",
  projectId: "p1",
  entityId: "t1",
  title: "Buy tiles",
  before: before as StagedChange["before"],
  after: { ...after },
});
const mark = { run_id: "r1", iteration: 2, source: "own" };

test("the platform's mark in the properties is no field of something new", () =>
  expect(changedFields(change(null, { props: { homework: mark }, title: "Buy tiles" }))).toEqual([
    { name: "title", before: null, after: "Buy tiles" },
  ]));

test("a changed mark is no change", () =>
  expect(changedFields(change({ props: { a: 1 } }, { props: { a: 1, homework: mark } }))).toEqual([]));

test("properties of one's own are shown without the mark", () =>
  expect(changedFields(change({ props: { homework: mark } }, { props: { colour: "red", homework: mark } }))).toEqual([
    { name: "props", before: {}, after: { colour: "red" } },
  ]));
