// Rows in aligned columns. On a terminal one column gives way so that a row stays one line; elsewhere nothing is cut.

import { cutTo, oneLine, widthOf } from "./plain-text.ts";

export type Column<Row> = {
  readonly title: string;
  readonly value: (row: Row) => string;
  /** Cut when the terminal is too narrow; at most one column. */
  readonly flexible?: true;
};

export type TableOptions = {
  /** Null: not a terminal. */
  readonly columns: number | null;
  readonly heading: (text: string) => string;
};

const gap = "  ";
/** Narrower than this, a title says nothing any more; then the line may wrap. */
const flexibleMin = 12;

export function renderTable<Row>(rows: readonly Row[], columns: readonly Column<Row>[], options: TableOptions): string {
  const cells = rows.map((row) => columns.map((column) => oneLine(column.value(row))));
  const widths = columns.map((column, at) =>
    cells.reduce((widest, line) => Math.max(widest, widthOf(line[at] ?? "")), widthOf(column.title)),
  );
  const flexibleAt = columns.findIndex((column) => column.flexible);
  if (flexibleAt >= 0 && options.columns !== null) {
    const total = widths.reduce((sum, width) => sum + width, 0);
    const others = total - (widths[flexibleAt] ?? 0) + gap.length * (columns.length - 1);
    widths[flexibleAt] = Math.min(widths[flexibleAt] ?? 0, Math.max(flexibleMin, options.columns - others));
  }
  const line = (texts: readonly string[]) =>
    texts
      .map((text, at) => pad(cutTo(text, widths[at] ?? 0), widths[at] ?? 0))
      .join(gap)
      .trimEnd();
  const heading = options.heading(line(columns.map((column) => column.title)));
  return [heading, ...cells.map(line)].map((text) => `${text}\n`).join("");
}

/** Names on the left, values on the right. */
export function renderFields(fields: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(0, ...fields.map(([name]) => widthOf(name)));
  return fields
    .map(([name, value]) => `${pad(name, width)}${gap}${oneLine(value)}`.trimEnd())
    .join("\n")
    .concat("\n");
}

function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}
