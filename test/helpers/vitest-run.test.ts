import { expect, test } from "vitest";
import { countRun, type Report } from "./vitest-run.ts";

/** One file for each argument: its status and those of its tests. */
function check(exitCode: number, files: readonly (readonly [string, ...string[]])[], expected: string): void {
  const report: Report = {
    testResults: files.map(([status, ...tests]) => ({
      status,
      assertionResults: tests.map((each) => ({ status: each })),
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
