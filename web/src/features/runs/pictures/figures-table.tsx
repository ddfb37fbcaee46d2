// What a chart draws, as a table.

import { Anchor, Table } from "@mantine/core";
import { useState } from "react";
import { averageOf, labelOf, type Point } from "./figures-over-time.ts";
import type { MeasureSpec } from "./measures.ts";

export function FiguresTable({ points, spec }: { readonly points: readonly Point[]; readonly spec: MeasureSpec }) {
  const [isShown, setShown] = useState(false);
  return (
    <>
      <Anchor component="button" type="button" size="xs" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
        {isShown ? "Hide the table" : `Show ${spec.title.toLowerCase()} as a table`}
      </Anchor>
      {isShown ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
        <section className="picture-table" tabIndex={0} aria-label={`${spec.title} as a table`}>
          <Table fz="xs" stickyHeader>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Iteration</Table.Th>
                <Table.Th>{points.some(({ first, last }) => first < last) ? "Each, on average" : "Each"}</Table.Th>
                <Table.Th>Cumulative</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {points.map((point) => (
                <Table.Tr key={point.first}>
                  <Table.Td>{labelOf(point)}</Table.Td>
                  <Table.Td>{spec.write(averageOf(point))}</Table.Td>
                  <Table.Td>{spec.write(point.sum)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </section>
      ) : null}
    </>
  );
}
