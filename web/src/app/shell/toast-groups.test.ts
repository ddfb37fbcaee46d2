import { expect, test } from "vitest";
import { addTold, describeMany, type Told, toastGroup, worstEvent } from "./toast-groups.ts";

const told = (id: string, event: string, isRun = true): Told => ({ id, event, run_id: isRun ? `run ${id}` : null });

test("questions and ends do not share a toast", () => {
  expect(["waiting_on_user", "escalation"].map((event) => toastGroup({ event }))).toEqual(["questions", "questions"]);
  expect(["completed", "failed", "outcome_achieved"].map((event) => toastGroup({ event }))).toEqual([
    "ends",
    "ends",
    "ends",
  ]);
  expect(toastGroup({ event: "holding" })).toBe("others");
});

test("what is told again of the same thing counts once", () => {
  const [one, two] = [told("1", "completed"), told("2", "completed")];
  expect(addTold([one, two], { ...one, event: "failed" })).toEqual([two, { ...one, event: "failed" }]);
});

test.for<[readonly Told[], string, string]>([
  [[told("1", "completed"), told("2", "completed")], "2 runs finished", "/homework"],
  [[told("1", "completed"), told("2", "failed")], "2 runs ended", "/homework"],
  [[told("1", "outcome_achieved", false), told("2", "outcome_achieved", false)], "2 outcomes finished", "/outcomes"],
  [[told("1", "completed"), told("2", "outcome_achieved", false)], "2 runs and outcomes finished", "/notifications"],
  [[told("1", "waiting_on_user"), told("2", "waiting_on_user")], "2 runs need you", "/homework#needs-you"],
  [[told("1", "escalation", false), told("2", "escalation", false)], "2 outcomes need you", "/outcomes"],
  [[told("1", "holding"), told("2", "holding")], "2 notifications", "/notifications"],
])("%o: %s", ([all, title, address]) =>
  expect(describeMany(all, toastGroup(all[0] ?? { event: "" }))).toEqual({ title, address }),
);

test("the worst of them gives the colour", () => {
  expect(worstEvent([told("1", "completed"), told("2", "failed"), told("3", "stopped")])).toBe("failed");
  expect(worstEvent([told("1", "completed"), told("2", "completed")])).toBe("completed");
});
