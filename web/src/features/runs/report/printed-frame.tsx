// What only paper has: the head of a report one would send to a board, and where to find the run.

import { Text, Title } from "@mantine/core";
import type { RunReport } from "../../../../../src/protocol/api.ts";
import { dayInWords } from "../../../lib/dates.ts";
import { Mark } from "../../../ui/mark.tsx";
import { useRun } from "../run-context.tsx";
import { outcomeWords } from "./report-words.ts";

export function PrintedHeader({ report }: { readonly report: RunReport }) {
  const { run } = useRun();
  return (
    <header className="only-printed printed-header">
      <div className="printed-brand">
        <Mark size={16} />
        <span>Homework</span>
        <span>{dayInWords(run.completed_at ?? run.created_at)}</span>
      </div>
      <Title order={2} className="printed-title breakable">
        <bdi>{run.title}</bdi>
      </Title>
      {report.status === "completed" ? null : <Text>{outcomeWords({ stop_reason: run.stop_reason, report })}</Text>}
    </header>
  );
}

export function PrintedFooter() {
  const { run } = useRun();
  return (
    <footer className="only-printed printed-footer">
      Activity, sources and evidence: <span>{`${window.location.origin}/homework/runs/${run.id}`}</span>
    </footer>
  );
}
