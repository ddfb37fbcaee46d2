import { expect, test } from "vitest";
import type { EntitySummary } from "../../../../src/protocol/api.ts";
import { type CachedList, withChange } from "./entity-cache.ts";

const task = (id: string) => ({ id, state_key: "todo" }) as EntitySummary;
const done = { state_key: "done" };

test.each<readonly [string, CachedList, CachedList]>([
  ["in one piece", { items: [task("a"), task("b")] }, { items: [task("a"), { ...task("b"), ...done }] }],
  [
    "in pages",
    { pages: [{ items: [task("a")] }, { items: [task("b")] }] },
    { pages: [{ items: [task("a")] }, { items: [{ ...task("b"), ...done }] }] },
  ],
  ["that was not fetched yet", undefined, undefined],
])("one thing is changed in a list %s", (_what, list, wanted) => {
  expect(withChange(list, "b", done)).toEqual(wanted);
});
