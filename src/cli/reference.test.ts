import { expect, test } from "vitest";
import { renderCliReference } from "./reference.ts";

test("every command that does something has an example", () => {
  const sections = renderCliReference().split("\n## ").slice(1);
  const doing = sections.filter((section) => !section.includes("\nCommands:\n"));
  expect(doing.length).toBeGreaterThan(40);
  expect(
    doing.filter((section) => !section.includes("\nExamples:\n")).map((section) => section.split("\n")[0]),
  ).toEqual([]);
});
