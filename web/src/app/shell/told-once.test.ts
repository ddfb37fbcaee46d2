import { expect, test } from "vitest";
import { withTold } from "./told-once.ts";

test("what was told once is not told again", () => {
  const once = withTold([], "a");
  expect(once).toEqual(["a"]);
  expect(withTold(once ?? [], "a")).toBeNull();
  expect(withTold(once ?? [], "b")).toEqual(["a", "b"]);
});

test("the list does not grow without end, and forgets the oldest", () => {
  const full = Array.from({ length: 50 }, (_, n) => String(n));
  const next = withTold(full, "new");
  expect(next).toHaveLength(50);
  expect(next?.[0]).toBe("1");
  expect(next?.at(-1)).toBe("new");
});
