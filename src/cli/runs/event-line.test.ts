import { expect, test } from "vitest";
import { makeEvent } from "../../../test/helpers/cli-runs.ts";
import { eventLine, isNews } from "./event-line.ts";

test("one of a kind that this version does not know is called by its name", () => {
  expect(eventLine(makeEvent(1, "moon_risen"))).toBe("17:40:01  moon risen");
});

test.each([
  ["a call of a model", makeEvent(1, "iteration_cost_update")],
  ["a note of the platform's own", makeEvent(1, "entry_recorded", { summary: "Kept", is_bookkeeping: true })],
  ["work without words", makeEvent(1, "entry_recorded", { entry: "tool:0.2", summary: "" })],
  ["what this version does not know", makeEvent(1, "moon_risen")],
])("%s is no news", (_, event) => expect(isNews(event)).toBe(false));

test("work in words is news", () => {
  const event = makeEvent(1, "entry_recorded", { summary: 'Made the task "Clear permits"', lane: "exec:2" });
  expect(isNews(event)).toBe(true);
  expect(eventLine(event)).toBe("17:40:01  Executor 2: Created task “Clear permits”");
});
