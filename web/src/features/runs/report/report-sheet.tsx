// The report itself, the result first; then what stays open, what the user said, checks, changes and cost.

import { Group, Paper, Stack, Text, Title } from "@mantine/core";
import type { Run, RunReport } from "../../../../../src/protocol/api.ts";
import { wordsOf } from "../../../../../src/protocol/report-markdown.ts";
import { dateAndTime } from "../../../lib/dates.ts";
import { RunStatusBadge } from "../../../ui/run-status-badge.tsx";
import { ReportChanges } from "./report-changes.tsx";
import { ReportChecks } from "./report-checks.tsx";
import { ReportMessages } from "./report-messages.tsx";
import { ReportResult } from "./report-result.tsx";
import { ReportList, ReportSection } from "./report-section.tsx";
import { figuresOf, outcomeWords } from "./report-words.ts";

type ReportSheetProps = { readonly run: Run; readonly report: RunReport };

export function ReportSheet({ run, report }: ReportSheetProps) {
  const words = wordsOf(report);
  return (
    <Paper component="article" withBorder p="lg" className="report" aria-label="Report">
      <Stack gap="lg">
        <header>
          <RunStatusBadge status={report.status} />
          <Title order={2} size="h3" mt={4} className="breakable">
            <bdi>{report.title}</bdi>
          </Title>
          <Text mt={4}>{outcomeWords({ stop_reason: run.stop_reason, report })}</Text>
          <Text size="sm" c="dimmed">
            {run.started_at ? `Started ${dateAndTime(run.started_at)}` : null}
            {run.started_at && run.completed_at ? " · " : null}
            {run.completed_at ? `Ended ${dateAndTime(run.completed_at)}` : null}
          </Text>
        </header>
        <ReportResult report={report} />
        <ReportList title={words.openQuestions} lines={report.open_questions} />
        <ReportList title={words.unsure} lines={report.unsure} />
        <ReportMessages report={report} />
        <ReportChecks report={report} />
        <ReportChanges runId={run.id} report={report} />
        <ReportSection title={words.effort}>
          <Figures report={report} />
        </ReportSection>
        <ReportSection title={words.ending}>
          <Text className="breakable" dir="auto">
            {report.stopping_reason.detail || outcomeWords({ stop_reason: run.stop_reason, report })}
          </Text>
        </ReportSection>
        <ReportSection title={words.objective}>
          <Text component="blockquote" m={0} className="pre-wrap report-objective" dir="auto">
            {report.objective}
          </Text>
        </ReportSection>
      </Stack>
    </Paper>
  );
}

function Figures({ report }: { readonly report: RunReport }) {
  return (
    <Group component="dl" gap="xl" m={0} className="report-figures">
      {figuresOf(report).map(({ name, value }) => (
        <div key={name}>
          <Text component="dt" size="xs" c="dimmed">
            {name}
          </Text>
          <Text component="dd" m={0} fw={600} className="unbroken">
            {value}
          </Text>
        </div>
      ))}
    </Group>
  );
}
