// A Markdown table in a terminal: columns as wide as they need, and narrower, with wrapped cells, where the terminal ends. Pure.

import type { Output } from "../output.ts";
import type { Span } from "./parse-inline.ts";
import { type PaintSpan, type WrappedLine, wrapSpans } from "./wrap-spans.ts";

const gap = "  ";
/** Narrower, a column says nothing any more; the line may be too long then. */
const columnMin = 8;

type Row = readonly (readonly Span[])[];
type Rows = readonly Row[];

/** The first row is the heading. */
export function renderMarkdownTable(
  rows: Rows,
  width: number,
  paint: Output["paint"],
  paintSpan: PaintSpan,
): readonly string[] {
  const widths = fitColumns(naturalWidths(rows, paintSpan), width);
  const heading: PaintSpan = (span) => paint("bold", paintSpan(span));
  const [head = [], ...body] = rows;
  const lines = (row: Row, painter: PaintSpan) => rowLines(row, widths, painter);
  const line = paint("dim", widths.map((each) => "─".repeat(each)).join(gap));
  return [...lines(head, heading), line, ...body.flatMap((row) => lines(row, paintSpan))];
}

function naturalWidths(rows: Rows, paintSpan: PaintSpan): readonly number[] {
  const cellWidth = (cell: readonly Span[]) =>
    Math.max(...wrapSpans(cell, Number.POSITIVE_INFINITY, paintSpan).map((line) => line.width));
  return (rows[0] ?? []).map((_, column) => Math.max(1, ...rows.map((row) => cellWidth(row[column] ?? []))));
}

/** The widest gives way first. */
function fitColumns(natural: readonly number[], width: number): readonly number[] {
  const widths = [...natural];
  const room = width - gap.length * (widths.length - 1);
  let over = widths.reduce((sum, each) => sum + each, 0) - room;
  while (over > 0) {
    const widest = widths.indexOf(Math.max(...widths));
    const now = widths[widest] ?? 0;
    if (now <= columnMin) break;
    const next = Math.max(columnMin, ...widths.filter((each) => each < now), now - over);
    const smaller = Math.min(next, now - 1);
    widths[widest] = smaller;
    over -= now - smaller;
  }
  return widths;
}

function rowLines(row: Row, widths: readonly number[], paintSpan: PaintSpan): readonly string[] {
  const cells = widths.map((width, column) => wrapSpans(row[column] ?? [], width, paintSpan));
  const height = Math.max(1, ...cells.map((cell) => cell.length));
  return Array.from({ length: height }, (_, at) =>
    widths
      .map((width, column) => padLine(cells[column]?.[at], width))
      .join(gap)
      .trimEnd(),
  );
}

function padLine(line: WrappedLine | undefined, width: number): string {
  const { text, width: used } = line ?? { text: "", width: 0 };
  return text + " ".repeat(Math.max(0, width - used));
}
