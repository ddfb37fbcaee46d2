import { expect, test } from "vitest";
import { requirePassword } from "./password.ts";

test.each(["ten chars!", "😀".repeat(10), "😀".repeat(200)])("%s can be a password", (password) =>
  expect(requirePassword(password)).toBe(password),
);

test.each([
  ["nine char", 9],
  ["😀".repeat(9), 9],
  ["x".repeat(201), 201],
])("%s is refused with its length", (password, length) =>
  expect(() => requirePassword(password)).toThrow(`A password has 10 to 200 characters; this one has ${length}.`),
);
