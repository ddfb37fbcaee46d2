import { expect, test } from "vitest";
import { draftOfIntent, emptyIntent, isEmptyIntent, newItem, toIntent } from "./intent-draft.ts";

const intent = {
  summary: "A shop that sells lamps",
  success_criteria: ["A lamp can be bought", "The page loads in a second"],
  items: [
    {
      id: "item_1",
      title: "A page",
      description: "With pictures",
      acceptance_criteria: ["It has a price"],
      priority: "high" as const,
      status: "done" as const,
    },
  ],
};

test("what is read and not touched is sent as it was", () => expect(toIntent(draftOfIntent(intent))).toEqual(intent));

test("each line is a criterion, and empty lines are none", () =>
  expect(toIntent({ ...emptyIntent, successCriteria: " One \n\n two\n" }).success_criteria).toEqual(["One", "two"]));

test("an item without a title is left out, and a new one has no id", () => {
  const items = [newItem("a"), { ...newItem("b"), title: " A page " }];
  expect(toIntent({ ...emptyIntent, items }).items).toEqual([
    { title: "A page", description: "", acceptance_criteria: [], priority: "medium", status: "pending" },
  ]);
});

test("blank fields and items without a title are an empty intent", () => {
  expect(isEmptyIntent({ summary: " ", successCriteria: "\n", items: [newItem("a")] })).toBe(true);
  expect(isEmptyIntent({ ...emptyIntent, summary: "A shop" })).toBe(false);
});
