import { fc, test as property } from "@fast-check/vitest";
import { expect, test } from "vitest";
import { actionFingerprint, errorFingerprint, toIterationError } from "./fingerprint.ts";

const same: readonly (readonly [string, string, string])[] = [
  ["line numbers", "Error: Cannot find module 'express' at line 42", "Error: Cannot find module 'express' at line 43"],
  ["ids", "task 01a1dd26-7d40-7166-80a8-63cdaab71b92 not found", "task 01a1dd27-0000-7166-80a8-63cdaab71b93 not found"],
  ["times", "timeout at 2026-11-15T03:00:51.708Z", "timeout at 2026-11-16T04:10:02Z"],
  ["paths", "ENOENT: open '/home/a/x.md'", "ENOENT: open '/srv/b/y.md'"],
  ["hashes", "bad object 9f86d081884c7d65", "bad object 2c26b46b68ffc68f"],
  ["ports", "connect ECONNREFUSED 127.0.0.1:5432", "connect ECONNREFUSED 127.0.0.1:6000"],
  ["blanks and capitals", "Failed   to compile\n", "failed to compile"],
  ["colours", "\u001b[31mFailed\u001b[0m", "Failed"],
  ["lines and columns", "main.ts:12:05: no", "main.ts:112:5: no"],
  ["lines and columns behind a path", "src/a.ts:42:10 no", "lib/b.ts:7:1 no"],
  ["durations", "gave up after 1.5s", "gave up after 950 ms"],
  ["short addresses in memory", "fault at 0x7f", "fault at 0x1c2"],
  ["ids with a prefix", "no task_9f3k2m1", "no task_77ab01c"],
  ["addresses", "GET https://a.example/x?y=1 failed", "GET https://b.example/z failed"],
];

test.each(same)("errors that differ in %s are the same", (_what, one, other) => {
  expect(errorFingerprint(one)).toBe(errorFingerprint(other));
});

const different: readonly (readonly [string, string])[] = [
  ["Cannot find module 'express'", "Cannot find module 'lodash'"],
  ["permission denied", "not found"],
  ["Failed to compile", "Failed to link"],
  ["tool read_document failed", "tool move_document failed"],
  ["error TS2345: no", "error TS2304: no"],
  ["status 404", "status 500"],
  ["exit code 1", "exit code 137"],
];

test.each(different)("%j and %j are different errors", (one, other) => {
  expect(errorFingerprint(one)).not.toBe(errorFingerprint(other));
});

test("no text is no error", () => {
  expect([errorFingerprint(""), errorFingerprint(" \n ")]).toEqual([null, null]);
});

property.prop([fc.string({ maxLength: 5_000 })])("any text has a bounded fingerprint that is its own", (text) => {
  const print = errorFingerprint(text);
  expect(print?.length ?? 0).toBeLessThanOrEqual(300);
  expect(errorFingerprint(text)).toBe(print);
});

test("a long hostile text does not take long", () => {
  for (const piece of ["a/", "1:", "0x", "2026-11-15 ", "a_", "\u001b["]) errorFingerprint(piece.repeat(50_000));
});

const search = { tool: "search", args: { q: "queues", limit: 5 } };
const read = { tool: "read", args: { id: "doc_1" } };

test("actions are the same in any order, with arguments in any order", () => {
  const turned = { tool: "search", args: { limit: 5, q: "queues" } };
  expect(actionFingerprint([search, read])).toBe(actionFingerprint([read, turned]));
});

test("other arguments are other actions", () => {
  expect(actionFingerprint([search])).not.toBe(
    actionFingerprint([{ tool: "search", args: { q: "queues", limit: 6 } }]),
  );
});

test("C: the same action for another step of the plan is another action", () => {
  const next = (stepId: string | null) => actionFingerprint([{ tool: "delegate", args: "next chapter", stepId }]);
  expect(next("s1")).not.toBe(next("s2"));
  expect(next("s1")).toBe(next("s1"));
});
test("C: an error keeps its words beside its fingerprint", () => {
  const said = "400: Context Length exceeded (8192 tokens), request 6f1e2d3c";
  expect(toIterationError(` ${said}\n`)?.text).toBe(said);
  expect(toIterationError(said)?.fingerprint).toBe(toIterationError(said.replace("6f1e2d3c", "1a2b3c4d"))?.fingerprint);
  expect(toIterationError("  ")).toBeNull();
});
test("no actions have no fingerprint", () => {
  expect(actionFingerprint([])).toBeNull();
});
