import { expect, test } from "vitest";
import { outcomeDraftAnswer, readDraft } from "./outcome-draft.ts";

const task = (title: string, dependsOn: readonly number[] = []) => ({ title, description: "d", dependsOn });
const draft = (over: object = {}) => ({
  name: "Lamps",
  intent: { summary: "A shop", items: [], successCriteria: [] },
  approach: "A plain page",
  tasks: [task("Form"), task("Page", [1])],
  ...over,
});
const read = (over: object) => {
  const done = readDraft(draft(over));
  if (!done.isRead) throw new Error(done.why);
  return done;
};

test("items get ids and are still to be done", () => {
  const items = [{ title: "Ordering", priority: "urgent" }];
  expect(read({ intent: { summary: "A shop", items } }).draft.intent.items).toEqual([
    { id: "item_1", title: "Ordering", description: "", acceptanceCriteria: [], priority: "medium", status: "pending" },
  ]);
});

test.each([
  ["itself", 2],
  ["a later task", 3],
  ["a task that does not exist", 0],
])("a task does not depend on %s", (_name, number) => {
  const { draft: made, leftOut } = read({ tasks: [task("Form"), task("Page", [number]), task("End")] });
  expect(made.tasks[1]?.after).toEqual([]);
  expect(leftOut).toEqual([`task 2 depends on ${number}, which is no task before it`]);
});

test("of too many tasks the first twenty are read", () =>
  expect(read({ tasks: Array.from({ length: 500 }, () => task("x")) }).draft.tasks).toHaveLength(20));

test.each([
  ["no task", { tasks: [] }, "tasks"],
  ["no approach", { approach: " " }, "approach"],
  ["no intent", { intent: undefined }, "intent"],
])("%s: it is asked for again", (_name, over, why) => {
  expect(readDraft(draft(over))).toEqual({ isRead: false, why: expect.stringContaining(why) });
  expect(outcomeDraftAnswer.safeParse(draft(over)).success).toBe(false);
});

test("what can be used is", () => expect(outcomeDraftAnswer.parse(draft()).draft.name).toBe("Lamps"));
