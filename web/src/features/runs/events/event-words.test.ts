import { describe, expect, test } from "vitest";
import { makeWireEvent } from "../../../../../test/helpers/sample-events.ts";
import { describeKind, eventLine, isFiltering, matches } from "./event-words.ts";

const made = (type: string, event: Record<string, unknown> = {}) => makeWireEvent(type, { iteration: 3, ...event });

describe("lines", () => {
  test("the words of the contract stand on one line", () =>
    expect(eventLine(made("run_created", { objective: "Plan\n the  launch" }))).toBe("Created: Plan the launch"));

  test.each([
    [made("something_new"), "Something new"],
    [made("run_completed", { why: 7 }), "Run completed"],
  ])("%# an event that this version does not know is called by its name", (event, line) => {
    expect(eventLine(event)).toBe(line);
    expect(describeKind(event.type).name).toBe(line);
  });

  test("a line stays a line, however much a model wrote", () => {
    expect(eventLine(made("entry_recorded", { entry: "a", summary: "x\n".repeat(10_000) })).length).toBe(400);
  });
});

describe("filter", () => {
  const event = made("entry_recorded", { entry: "tool:0", summary: "Created a task", hidden: "Kraków" });

  test.each([
    [{ types: [], text: "" }, true],
    [{ types: ["entry_recorded"], text: "" }, true],
    [{ types: ["run_created"], text: "" }, false],
    [{ types: [], text: "  CREATED " }, true],
    [{ types: [], text: "kraków" }, true],
    [{ types: [], text: "absent" }, false],
    [{ types: ["run_created"], text: "task" }, false],
  ])("%j: %s", (filter, fits) => {
    expect(matches(event, filter)).toBe(fits);
  });

  test("blanks are no filter", () => {
    expect(isFiltering({ types: [], text: "  " })).toBe(false);
    expect(isFiltering({ types: ["run_created"], text: "" })).toBe(true);
  });
});
