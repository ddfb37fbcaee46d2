import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { describeMachineFault } from "./machine-fault.ts";

const fault = (code: string, over: object = {}) =>
  Object.assign(new Error(`${code}: as the system says it`), { code, syscall: "write", ...over });

test.each([
  ["ENOSPC", "The disk is full (/data/x). What was written before is kept. Free some space, then try again."],
  ["EROFS", "The disk can only be read (/data/x). Make it writable, then try again."],
  ["EACCES", "Reading or writing was refused (/data/x). Check who owns it and its rights."],
])("%s is told in a sentence", (code, words) =>
  expect(describeMachineFault(fault(code, { path: "/data/x" }))).toBe(words),
);

test("a file that went missing is named", () => {
  const read = () => readFileSync("/no/such/file");
  expect(read).toThrow();
  try {
    read();
  } catch (error) {
    expect(describeMachineFault(error)).toContain("(/no/such/file)");
  }
});

test.each([
  ["a fault of ours", new Error("bug: oops")],
  ["a refused connection", fault("ECONNREFUSED")],
  ["an error with a code that no call of the system gave", Object.assign(new Error("x"), { code: "ENOSPC" })],
  ["no error", "ENOSPC"],
])("%s is none", (_, thrown) => expect(describeMachineFault(thrown)).toBeNull());
