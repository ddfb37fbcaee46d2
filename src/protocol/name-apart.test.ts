import { expect, test } from "vitest";
import { nameApart } from "./name-apart.ts";

test("files of the same name are told apart, also where only capitals differ", () => {
  const files = ["Plan", "plan", "Plan 2", "Notes/Plan", "Plan"].map((name) => ({ name, ids: [], text: "" }));
  expect(nameApart(files).map(({ name }) => name)).toEqual([
    "Plan.md",
    "plan 2.md",
    "Plan 2 2.md",
    "Notes/Plan.md",
    "Plan 3.md",
  ]);
});
