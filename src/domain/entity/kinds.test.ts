import { expect, test } from "vitest";
import { type EntityKind, sortsOfKind } from "./kinds.ts";

const always = ["updated", "created", "title"];

test.each<readonly [EntityKind, readonly string[]]>([
  ["task", [...always, "due", "priority"]],
  ["milestone", [...always, "due"]],
  ["document", always],
])("a list of %ss has the orders of what it holds", (kind, sorts) => {
  expect(sortsOfKind(kind)).toEqual(sorts);
});
