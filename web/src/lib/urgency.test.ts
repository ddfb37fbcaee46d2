import { expect, test } from "vitest";
import { compareUrgency, describeDue } from "./urgency.ts";

const thing = (state_key: string, priority: number | null, due_at: string | null) => ({ state_key, priority, due_at });

test("open before done, then by priority, then by date", () => {
  const sorted = [
    thing("done", 1, null),
    thing("todo", null, "2026-03-01T12:00:00Z"),
    thing("todo", 2, null),
    thing("blocked", 2, "2026-03-02T12:00:00Z"),
    thing("todo", 1, null),
  ].toSorted(compareUrgency);
  expect(sorted.map(({ state_key, priority }) => [state_key, priority])).toEqual([
    ["todo", 1],
    ["blocked", 2],
    ["todo", 2],
    ["todo", null],
    ["done", 1],
  ]);
});

test("how far off a date is matters while the thing is open", () => {
  const now = Date.parse("2026-03-01T12:00:00Z");
  expect(describeDue(thing("todo", null, "2026-03-04T12:00:00Z"), now)).toBe("due Mar 4, 2026, in 3 days");
  expect(describeDue(thing("done", null, "2026-03-04T12:00:00Z"), now)).toBe("due Mar 4, 2026");
  expect(describeDue(thing("todo", null, null), now)).toBeNull();
});
