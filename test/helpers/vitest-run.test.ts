import { expect, test } from "vitest";
import { countRun, type Report } from "./vitest-run.ts";

/** One file for each argument: its status and those of its tests. */
function check(exitCode: number, files: readonly (readonly [string, ...string[]])[], expected: string): void {
  const report: Report = {
    testResults: files.map(([status, ...tests], at) => ({
      name: `file${at}`,
      status,
      assertionResults: tests.map((each, nth) => ({ status: each, fullName: `test${nth}` })),
    })),
  };
  const { passed, failed, skipped } = countRun(exitCode, report);
  expect(`${passed} passed, ${failed} failed, ${skipped} skipped`).toBe(expected);
}

test("tests are counted over all files", () =>
  check(
    0,
    [
      ["passed", "passed", "skipped"],
      ["passed", "passed", "todo"],
    ],
    "2 passed, 0 failed, 2 skipped",
  ));
test("a failed test is counted once", () =>
  check(1, [["failed", "passed", "failed"]], "1 passed, 1 failed, 0 skipped"));
test("a file that fails without a failed test counts as one", () =>
  check(1, [["failed", "passed"], ["failed"]], "1 passed, 2 failed, 0 skipped"));
test("a run that ends badly although every test passed has failed", () =>
  check(1, [["passed", "passed"]], "1 passed, 1 failed, 0 skipped"));
test("a run that wrote no report has failed", () => check(1, [], "0 passed, 1 failed, 0 skipped"));

test("what failed is named with its reason", () => {
  const assertionResults = [
    { status: "passed", fullName: "one" },
    { status: "failed", fullName: "two", failureMessages: ["expected 1 to be 2\n    at somewhere"] },
  ];
  const report: Report = {
    testResults: [
      { name: "a.test.ts", status: "failed", assertionResults },
      { name: "b.test.ts", status: "failed", message: "cannot be loaded", assertionResults: [] },
    ],
  };
  expect(countRun(1, report).failures).toEqual([
    "a.test.ts > two\n      expected 1 to be 2\n          at somewhere",
    "b.test.ts\n      cannot be loaded",
  ]);
});
