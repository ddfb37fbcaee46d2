import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Figures, readReports, resumeFigures, withFigures } from "../bench/figures-page.ts";

const now = { commit: "abc1234", date: "2026-11-19", machine: "2 cores" };
const measured = { seconds: 12.4, isMissed: false, reports: { Lists: { "first page": "p50 3 ms", rows: 7 } } };
const kept: Figures = { ...now, benches: { lists: measured } };
const page =
  "# Performance\n\n<!-- figures: written by `npm run bench -- --write` -->\nold\n<!-- figures: end -->\n\nProse.\n";

test("reports are the lines of JSON among what a bench printed", () =>
  expect(readReports('Lists\n  first page  p50 3 ms\n{"bench":"Lists","first page":"p50 3 ms","rows":7}\n')).toEqual(
    measured.reports,
  ));

test.for([
  ["the same commit on the same machine goes on where it broke off", now, ["lists"]],
  ["another commit begins anew", { ...now, commit: "def5678" }, []],
  ["another machine begins anew", { ...now, machine: "8 cores" }, []],
] as const)("%s", ([, at, names]) => expect(Object.keys(resumeFigures(kept, at).benches)).toEqual(names));

test("figures take the place of those before and name commit, day and bench; the prose stays", () => {
  const written = withFigures(page, kept);
  expect(written).toContain("commit `abc1234`, 2026-11-19");
  expect(written).toContain("**`lists`** (12 s).\n");
  expect(written).toContain("| Lists | first page | p50 3 ms |\n| Lists | rows | 7 |");
  expect(written).not.toContain("old");
  expect(written.endsWith("Prose.\n")).toBe(true);
  expect(withFigures(written, kept)).toBe(written);
});

test("a bench that misses its aim says so", () =>
  expect(withFigures(page, { ...kept, benches: { lists: { ...measured, isMissed: true } } })).toContain(
    "It misses what it aims at.",
  ));

test("a page without a place for them is refused, and ours has one", () => {
  expect(() => withFigures("# Performance\n", kept)).toThrow("no marks");
  expect(() => withFigures(readFileSync("docs/performance.md", "utf8"), kept)).not.toThrow();
});
