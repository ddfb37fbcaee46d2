// The report itself: how it ended, in words; what was checked; what changed; what it took.

import { Group, Paper, Stack, Text, Title } from "@mantine/core";
import type { Run, RunReport } from "../../../../../src/protocol/api.ts";
import { dateAndTime } from "../../../lib/dates.ts";
import { LazyMarkdown } from "../../../ui/lazy-markdown.tsx";
import { RunStatusBadge } from "../../../ui/run-status-badge.tsx";
import { ReportChanges } from "./report-changes.tsx";
import { ReportChecks } from "./report-checks.tsx";
import { ReportSection } from "./report-section.tsx";
import { figuresOf, outcomeWords } from "./report-words.ts";

type ReportSheetProps = { readonly run: Run; readonly report: RunReport };

export function ReportSheet({ run, report }: ReportSheetProps) {
  return (
    <Paper component="article" withBorder p="lg" className="report" aria-label="Report">
      <Stack gap="lg">
        <header>
          <RunStatusBadge status={report.status} />
          <Title order={2} size="h3" mt={4} className="breakable">
            <bdi>{report.title}</bdi>
          </Title>
          <Text mt={4}>{outcomeWords({ stop_reason: run.stop_reason, report })}</Text>
          {run.completed_at ? (
            <Text size="sm" c="dimmed">
              Ended {dateAndTime(run.completed_at)}
            </Text>
          ) : null}
        </header>
        <ReportSection title="Summary">
          <div dir="auto">
            <LazyMarkdown text={report.summary} />
          </div>
        </ReportSection>
        <ReportChecks checks={report.checks} />
        <ReportChanges runId={run.id} report={report} />
        <ReportSection title="What it took">
          <Figures report={report} />
        </ReportSection>
        <ReportSection title="Why it ended">
          <Text className="breakable" dir="auto">
            {report.stopping_reason.detail || outcomeWords({ stop_reason: run.stop_reason, report })}
          </Text>
        </ReportSection>
        <ReportSection title="What was asked">
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
