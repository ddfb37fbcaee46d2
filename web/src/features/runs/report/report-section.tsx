// A part of a report under its heading.

import { List, Title } from "@mantine/core";
import type { ReactNode } from "react";

export function ReportSection({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="report-section">
      <Title order={3} size="h4" mb="xs">
        {title}
      </Title>
      {children}
    </section>
  );
}

/** Nothing where there is nothing to list. */
export function ReportList({ title, lines }: { readonly title: string; readonly lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <ReportSection title={title}>
      <List>
        {keyed(lines).map(({ key, line }) => (
          <List.Item key={key} className="breakable">
            <bdi>{line}</bdi>
          </List.Item>
        ))}
      </List>
    </ReportSection>
  );
}

/** A report never changes, so the place of a line is its name. */
const keyed = (lines: readonly string[]) => lines.map((line, place) => ({ key: `${place}`, line }));
