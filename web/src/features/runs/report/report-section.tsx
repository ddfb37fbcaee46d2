// A part of a report under its heading.

import { Title } from "@mantine/core";
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
