import { expect, test } from "vitest";
import { describeChange, listFacts } from "./change-words.ts";

const before = { title: "Label boxes", state_key: "todo", priority: 1, content: "Asked two.", version: 1, id: "0191" };

test("a change says which fields are others, and not what machines count", () => {
  const after = { ...before, state_key: "in_progress", priority: null, content: "Asked three.", version: 2 };
  expect(describeChange(before, after)).toBe(
    "State: Todo → In progress · Priority: 1 · Most urgent → none · Text changed",
  );
  expect(describeChange(before, { ...before, version: 2 })).toBeNull();
});

test("what a thing was is told without ids and versions", () => {
  expect(listFacts(before)).toEqual([
    { label: "Title", value: "Label boxes" },
    { label: "State", value: "Todo" },
    { label: "Priority", value: "1 · Most urgent" },
    { label: "Text", value: "Asked two." },
  ]);
});
