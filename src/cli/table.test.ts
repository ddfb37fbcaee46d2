import { expect, test } from "vitest";
import { renderFields, renderTable } from "./table.ts";

type Row = { readonly id: string; readonly name: string };

function render(rows: readonly Row[], columns: number | null = null): readonly string[] {
  const shown = [
    { title: "ID", value: ({ id }: Row) => id },
    { title: "NAME", value: ({ name }: Row) => name, flexible: true as const },
  ];
  return renderTable(rows, shown, { columns, heading: (text) => text })
    .split("\n")
    .slice(0, -1);
}

test("columns are as wide as their widest cell", () => {
  expect(
    render([
      { id: "a", name: "x" },
      { id: "long-id", name: "y" },
    ]),
  ).toEqual(["ID       NAME", "a        x", "long-id  y"]);
});

test("wide characters count as two cells", () => {
  expect(
    render([
      { id: "日本", name: "x" },
      { id: "🎉", name: "y" },
    ]),
  ).toEqual(["ID    NAME", "日本  x", "🎉    y"]);
});

test("on a terminal the flexible column is cut so that a row stays one line", () => {
  expect(render([{ id: "a", name: "one two three four five" }], 20)).toEqual(["ID  NAME", "a   one two three f…"]);
});

test("elsewhere nothing is cut", () => {
  expect(render([{ id: "a", name: "x".repeat(500) }])[1]).toHaveLength(504);
});

test("a cell cannot break the row or steer the terminal", () => {
  expect(render([{ id: "a\nb", name: "\u001b[31mred\u202e" }])[1]).toBe("a b  [31mred");
});

test("a hundred thousand rows are no problem", () => {
  expect(render(Array.from({ length: 100_000 }, () => ({ id: "a", name: "x" })))).toHaveLength(100_001);
});

test("fields are aligned by their names", () => {
  expect(
    renderFields([
      ["Id", "1"],
      ["Version", "2"],
    ]),
  ).toBe("Id       1\nVersion  2\n");
});
