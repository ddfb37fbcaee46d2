import { expect, test } from "vitest";
import { readObjective } from "./read-objective.ts";
import { phraseOf } from "./words.ts";

test.each([
  ["Plan the launch of a neighbourhood repair café", "the launch of a neighbourhood repair café"],
  ["Please, could you help me to write a letter to our council?", "a letter to your council"],
  ["Fix login page", "“login page”"],
  ["Plane ein Sommerfest für unsere Nachbarschaft", "„ein Sommerfest für unsere Nachbarschaft“"],
  ["?!… 🎉", "this objective"],
])("%j is about %s", (objective, topic) => expect(readObjective(objective).topic).toBe(topic));

test.each([
  ["Plan a neighbourhood repair café", "event", "document"],
  ["Repair the garden fence", "fix", "document"],
  ["Write a blog post about bees", "write", "document"],
  ["Compare PostgreSQL and MySQL", "research", "document"],
  ["What is a heat pump?", "research", "question"],
  ["Make a task list for the move", "project", "tasks"],
  ["Erstelle eine Aufgabenliste für den Umzug", "project", "tasks"],
  ["Plan the move with a page and five tasks", "project", "document"],
  ["Bananas", "project", "document"],
])("%j is read as %s with a %s", (objective, family, shape) =>
  expect(readObjective(objective)).toMatchObject({ family, shape }),
);

test.each([
  ["list 8 tasks", 8],
  ["Give me five good tasks", 5],
  ["Zwei Aufgaben für morgen", 2],
  ["some tasks", null],
  ["make 9999 tasks", 30],
])("%j wants %s tasks", (objective, wanted) => expect(readObjective(objective).tasksWanted).toBe(wanted));

test("what is compared and what is listed are its items", () => {
  expect(readObjective("Compare A, B and C for a shop").items).toEqual(["A", "B", "C"]);
  expect(readObjective("Tasks:\n- [ ] buy boxes\n- call").items).toEqual(["Buy boxes", "Call"]);
});

test.each(["en", "de"] as const)("every phrase there is in English is there in %s", (language) => {
  for (const name of ["goal", "sum-rules", "about-3", "ask-beyond"]) expect(phraseOf(language, name)).not.toBe("");
});
