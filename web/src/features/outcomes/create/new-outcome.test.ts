import { expect, test } from "vitest";
import { emptyOutcome, type NewOutcome, newTask, problemOf, readNewOutcome, requestOf } from "./new-outcome.ts";

const byHand = (change: Partial<NewOutcome>): NewOutcome => ({
  ...emptyOutcome,
  mode: "hand",
  name: "A shop",
  ...change,
});

test("a brief alone is sent without tasks", () => {
  const { brief, ...rest } = requestOf({ ...emptyOutcome, brief: " Sell lamps " }, "UTC");
  expect(brief).toBe("Sell lamps");
  expect(rest).toEqual({ workers: 1, max_cost_usd: null, time_zone: "UTC" });
});

test("tasks are named by their place among those that have a title", () => {
  const tasks = [
    newTask("none"),
    { ...newTask("a"), title: "Buy" },
    { ...newTask("b"), title: "Sell", after: ["a", "none"] },
  ];
  expect(requestOf(byHand({ tasks }), "UTC").tasks).toEqual([
    { title: "Buy", description: "", depends_on: [] },
    { title: "Sell", description: "", depends_on: [1] },
  ]);
});

test("what is missing is named at its field", () => {
  expect(problemOf(emptyOutcome)?.field).toBe("brief");
  expect(problemOf(byHand({ name: " " }))?.field).toBe("name");
  expect(problemOf(byHand({}))?.field).toBe("tasks");
  expect(problemOf(byHand({ tasks: [{ ...newTask("a"), title: "Buy" }] }))).toBeNull();
});

test("a draft of another shape begins anew", () => {
  expect(readNewOutcome({ ...emptyOutcome, tasks: null })).toEqual(emptyOutcome);
  expect(readNewOutcome("text")).toEqual(emptyOutcome);
  expect(readNewOutcome({ ...emptyOutcome, brief: "Sell" }).brief).toBe("Sell");
});

test("a folder is sent for agents only", () => {
  const draft = { ...emptyOutcome, brief: "Sell", workFolder: "/home/me/shop" };
  expect(requestOf({ ...draft, engine: "planner" }, "UTC")).not.toHaveProperty("work_folder");
  expect(requestOf({ ...draft, engine: "agent" }, "UTC")).toMatchObject({ work_folder: "/home/me/shop" });
});
