import { expect, test } from "vitest";
import { type Command, readKeys, shortcuts } from "./shortcut-keys.ts";

function press(...keys: readonly string[]): readonly Command[] {
  let pressed: readonly string[] = [];
  return keys.flatMap((key) => {
    const read = readKeys(pressed, key);
    pressed = read.pressed;
    return read.command === null ? [] : [read.command];
  });
}

test("one key, or two after each other", () => {
  expect(press("n")).toEqual(["new_run"]);
  expect(press("g", "h")).toEqual(["home"]);
  expect(press("h")).toEqual([]);
});

test("a key that does not go on with the one before begins anew", () => {
  expect(press("g", "n")).toEqual(["new_run"]);
  expect(press("g", "g", "o")).toEqual(["outcomes"]);
  expect(press("g", "x", "h")).toEqual([]);
});

test("no shortcut is the beginning of another", () => {
  const lines = shortcuts.map(({ keys }) => keys.join(" "));
  expect(lines.filter((line) => lines.some((other) => other !== line && other.startsWith(`${line} `)))).toEqual([]);
  expect(new Set(lines).size).toBe(lines.length);
});
