import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

// docs/security.md names a test for each line of the penetration test; this keeps the names true.

const page = readFileSync("docs/security.md", "utf8");
const table = page.split("## The penetration test, line by line")[1]?.split("\n## ")[0] ?? "";
const rows = table.split("\n").filter((line) => /^\| \d/.test(line));
const cellsOf = (row: string) => row.split(" | ").at(-1) ?? "";

const fileOf = (name: string) => `${name}.test.ts`;

test("every line of the penetration test is in the table", () => {
  const numbers = new Set(rows.map((row) => Number(/^\| (\d+)/.exec(row)?.[1])));
  expect([...numbers]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

test.each(rows.map((row) => [row.slice(2, 60), cellsOf(row)]))("%s… has tests that are there", (_, cell) => {
  const files = [...cell.matchAll(/`([\w/-]+)`/g)].map(([, name]) => fileOf(name ?? ""));
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
  const text =
    files.map((file) => readFileSync(file, "utf8")).join("\n") + readFileSync("test/security/carriers.ts", "utf8");
  const quoted = [...cell.matchAll(/"([^"]+)"/g)].map(([, name]) => name ?? "");
  expect(quoted.filter((name) => !text.includes(name))).toEqual([]);
});
