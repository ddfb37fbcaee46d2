import { expect, test } from "vitest";
import { readObjective } from "./read-objective.ts";

test.each([
  ["Plan the launch of a neighbourhood repair café", "“the launch of a neighbourhood repair café”"],
  ["Please, could you help me to write a letter to our council?", "“a letter to your council”"],
  ["Fix login page", "“login page”"],
  ["Draft “Place and date” for “a street festival”", "“a street festival”"],
  ["?!… 🎉", "this objective"],
])("%j is about %s", (objective, topic) => expect(readObjective(objective).topic).toBe(topic));

test.each([
  ["Plan a neighbourhood repair café", "event", false],
  ["Repair the garden fence", "project", false],
  ["Write a blog post about bees", "write", false],
  ["Compare PostgreSQL and MySQL", "research", false],
  ["What is a heat pump?", "research", true],
  ["Bananas", "project", false],
])("%j is read as %s, a question: %s", (objective, family, isQuestion) =>
  expect(readObjective(objective)).toMatchObject({ family, isQuestion }),
);

test.each([
  ["x", false],
  ["?!… 🎉🎉🎉", false],
  ["12 34", false],
  ["Plan", false],
  ["Hello!", false],
  ["please write", false],
  ["Bananas", true],
  ["研究三种", true],
])("there is something to work on in %j: %s", (objective, isWorkable) =>
  expect(readObjective(objective).isWorkable).toBe(isWorkable),
);
