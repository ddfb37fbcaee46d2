import { expect, test } from "vitest";
import { isSendKey } from "./send-key.ts";

const check = (change: object) =>
  isSendKey({
    key: "Enter",
    ctrlKey: false,
    metaKey: false,
    shiftKey: false,
    nativeEvent: { isComposing: false },
    ...change,
  });

test("Enter sends", () => expect(check({})).toBe(true));
test("Shift+Enter starts a new line", () => expect(check({ shiftKey: true })).toBe(false));
test("Ctrl+Enter sends, too", () => expect(check({ ctrlKey: true })).toBe(true));
test("Enter that ends a composed word does not send", () =>
  expect(check({ nativeEvent: { isComposing: true } })).toBe(false));
test("no other key sends", () => expect(check({ key: "a", ctrlKey: true })).toBe(false));
