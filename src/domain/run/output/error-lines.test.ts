import { fc, test as property } from "@fast-check/vitest";
import { expect, test } from "vitest";
import { expectEvenGrowth } from "../../../../test/helpers/even-growth.ts";
import { errorLines, outputErrorFingerprint } from "./error-lines.ts";

test.each([
  ["Error: Failed to compile src/main.ts"],
  ["    TypeError: x is not a function"],
  ["Uncaught ReferenceError: y is not defined"],
  ["java.lang.IllegalStateException: no"],
  ["error[E0308]: mismatched types"],
  ["src/a.ts(12,5): error TS2345: Argument of type"],
  ["src/main.c:12:5: error: expected ';'"],
  ["2026-11-15T03:00:51.708Z ERROR could not connect"],
  ["[12:00:01] [ERROR] could not connect"],
  ["fatal: not a git repository"],
  ["npm ERR! code ELIFECYCLE"],
  ["panic: runtime error: index out of range"],
  ["FAIL src/a.test.ts > adds"],
  ["Failed to compile."],
  ["make[1]: *** [all] Error 2"],
  ["bash: line 1: foo: command not found"],
  ['Exception in thread "main" java.lang.X'],
  ["Traceback (most recent call last):"],
  ["E   AssertionError: assert 1 == 2"],
  ["\u001b[31mError: red\u001b[0m"],
  ['{"type":"result","is_error":true,"result":"API Error: 500"}'],
  ['{"type":"error","error":{"message":"Overloaded"}}'],
])("%j is an error", (line) => expect(errorLines(`ok\n${line}\nok`)).toHaveLength(1));

test.each([
  ["+  handleError(error: Error): void {"],
  ["-    throw new TypeError: x"],
  ["class ErrorHandler extends Handler {"],
  ["handleError(error: Error)"],
  ["I fixed the Error: it was a typo."],
  ["0 errors, 0 warnings"],
  ["I failed to see it at first"],
  ["throw new Error('x')"],
  ["No error: all is well"],
  ['  "error": null,'],
  ['{"type":"result","is_error":false,"result":"Fixed Error: x"}'],
  ['{"type":"user","message":"Error: in a tool"}'],
  ["Errors are handled in errors.ts"],
  ["error_count: 3"],
  ["FAILURES ARE FUN"],
])("%j is none", (line) => expect(errorLines(line)).toEqual([]));

test("nothing in a diff is an error, and what follows it is", () => {
  const diff = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n Error: context\n+Error: added\nError: real";
  expect(errorLines(diff)).toEqual(["Error: real"]);
});

test("only the last errors are kept", () => {
  const many = Array.from({ length: 50 }, (_, n) => `Error: number ${n}`).join("\n");
  expect(errorLines(many)).toHaveLength(20);
  expect(errorLines(many).at(-1)).toBe("Error: number 49");
});

test("the same errors in another order, at other lines, are the same", () => {
  const one = "a.ts:12:05: error: no\nError: Cannot find module 'x' at line 42\nnoise 1";
  const other = "noise 2\nError: Cannot find module 'x' at line 43\nb.ts:112:5: error: no";
  expect(outputErrorFingerprint(one)).toBe(outputErrorFingerprint(other));
  expect(outputErrorFingerprint("all is well")).toBeNull();
  expect(outputErrorFingerprint(one)).not.toBe(outputErrorFingerprint("Error: something else"));
});

property.prop([fc.string({ maxLength: 2_000, unit: "grapheme" })])("any text is read without an error", (text) => {
  expect(errorLines(text).length).toBeLessThanOrEqual(20);
});

test.each(["a/", "1:1:", "Error", "Error: \n", "\\", "[12:00:00] ", "{", '{"', "(1,1)", "+", " ", "E "])(
  "reading much of %j grows evenly",
  (piece) => expectEvenGrowth(200_000, (size) => errorLines(piece.repeat(size / piece.length))),
);
