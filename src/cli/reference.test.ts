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

test("no command but one that deletes demands the name of a run, a task, a document or an outcome: without one the last is meant", () => {
  const usages = renderCliReference()
    .split("\n")
    .filter((line) => line.startsWith("Usage:"));
  expect(usages.filter((line) => /\[(run|task|doc|outcome|escalation)\]/.test(line)).length).toBeGreaterThan(30);
  // What is deleted is named, never guessed.
  expect(usages.filter((line) => /<(run|task|doc|outcome|escalation)>/.test(line))).toEqual([
    "Usage: homework outcome delete [options] <outcome>",
    "Usage: homework task delete [options] <task>",
    "Usage: homework doc delete [options] <doc>",
  ]);
});
