// A table whose rows become cards on a phone: each value with the name of its column, and the buttons below them.

import { Table } from "@mantine/core";
import type { ReactNode } from "react";
import "./stacking-table.css";

export type Column<Row> = {
  readonly label: string;
  /** `title` says what the row is about; `actions` are its buttons. Both have no name of their own on a card. */
  readonly part?: "title" | "actions";
  /** `number`: amounts stand below each other, at the right. */
  readonly align?: "number";
  /** Where several tables have to agree. */
  readonly width?: string;
  readonly cell: (row: Row) => ReactNode;
};

type StackingTableProps<Row> = {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
};

export function StackingTable<Row>({ label, columns, rows, keyOf }: StackingTableProps<Row>) {
  return (
    <Table
      className="stacking-table"
      aria-label={label}
      verticalSpacing="xs"
      layout={columns.some(({ width }) => width !== undefined) ? "fixed" : "auto"}
    >
      <Table.Thead>
        <Table.Tr>
          {columns.map(({ label: name, part, align, width }) =>
            part === "actions" ? (
              <Table.Th key={name} data-part={part} aria-label={name} w={width} />
            ) : (
              <Table.Th key={name} data-align={align} w={width}>
                {name}
              </Table.Th>
            ),
          )}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={keyOf(row)}>
            {columns.map(({ label: name, part, align, cell }) => (
              <Table.Td key={name} data-label={name} data-part={part} data-align={align}>
                {cell(row)}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
