import { expect, test } from "vitest";
import { isSendKey } from "./send-key.ts";

const check = (change: object, text = "one line") =>
  isSendKey(
    {
      key: "Enter",
      ctrlKey: false,
      metaKey: false,
      shiftKey: false,
      nativeEvent: { isComposing: false },
      ...change,
    },
    text,
  );

test("Enter sends one line", () => expect(check({})).toBe(true));
test("Shift+Enter starts a new line", () => expect(check({ shiftKey: true })).toBe(false));
test("Enter does not send several lines", () => expect(check({}, "one\ntwo")).toBe(false));
test("Ctrl+Enter sends several lines", () => expect(check({ ctrlKey: true }, "one\ntwo")).toBe(true));
test("Enter that ends a composed word does not send", () =>
  expect(check({ nativeEvent: { isComposing: true } })).toBe(false));
test("no other key sends", () => expect(check({ key: "a", ctrlKey: true })).toBe(false));
