// The result of a run that has ended: the summary and the primary output to read, the rest of what it made, and beside it why
// one may trust it. On paper it is a document of its own.

import { Alert, Group, Stack, Text } from "@mantine/core";
import { lazy, Suspense } from "react";
import type { RunReport } from "../../../../../src/protocol/api.ts";
import { wordsOf } from "../../../../../src/protocol/report-markdown.ts";
import { useAway } from "../../../lib/use-away.ts";
import { Card } from "../../../ui/card.tsx";
import { ControlButton } from "../../../ui/control-button.tsx";
import { AnchorLink } from "../../../ui/links.tsx";
import { RowsSkeleton } from "../../../ui/skeletons.tsx";
import { useRestore } from "../controls/use-undo.ts";
import { OutputsByKind } from "../outputs/outputs-by-kind.tsx";
import { FollowUpsCard } from "../page/follow-ups-card.tsx";
import { NowCard } from "../page/now-card.tsx";
import { useRun } from "../run-context.tsx";
import { PrimaryOutput } from "./primary-output.tsx";
import { PrintedFooter, PrintedHeader } from "./printed-frame.tsx";
import { ReportActions } from "./report-actions.tsx";
import { figuresOf } from "./report-words.ts";
import { SaidCard } from "./said-card.tsx";
import { SourcesCard } from "./sources-card.tsx";
import { Summary } from "./summary.tsx";
import { TrustCard } from "./trust-card.tsx";
import "./report.css";
import "./printed-report.css";

const WorkCard = lazy(async () => ({ default: (await import("../page/work-card.tsx")).WorkCard }));

type ReportProps = { readonly report: RunReport };

export function FinishedResult({ report }: ReportProps) {
  const { run } = useRun();
  const { is_undone: isUndone } = run;
  const words = wordsOf(report);
  // Then the summary would only repeat why it failed.
  const isEmptyFailure = run.status === "failed" && run.made.length === 0;
  return (
    <article className="report" aria-label="Result">
      <PrintedHeader report={report} />
      {isUndone ? <UndoneBanner /> : null}
      <div className="result">
        <Stack className="result-main">
          {run.status === "completed" ? null : <NowCard />}
          {isEmptyFailure ? null : <Summary label={words.result} text={report.summary} />}
          <PrimaryOutput report={report} />
          {run.engine === "agent" ? (
            <Suspense fallback={<RowsSkeleton />}>
              <WorkCard />
            </Suspense>
          ) : null}
          <OutputsByKind title="Everything else" exceptId={report.primary_output?.id ?? null} />
        </Stack>
        <Stack className="result-aside">
          <TrustCard isUndone={isUndone} />
          <FollowUpsCard />
          <Lines title={words.openQuestions} lines={report.open_questions} />
          <Lines title={words.unsure} lines={report.unsure} />
          <SaidCard report={report} />
          <SourcesCard report={report} />
          <CostCard report={report} />
          <div className="not-printed">
            <Card title="Export">
              <ReportActions report={report} />
            </Card>
          </div>
        </Stack>
      </div>
      <PrintedFooter />
    </article>
  );
}

function UndoneBanner() {
  const away = useAway();
  const restore = useRestore();
  return (
    <Alert variant="default" title="Undone" mb="md">
      <Group justify="space-between" gap="sm">
        <Text size="sm">What this run wrote was taken back. Its checks no longer apply.</Text>
        <ControlButton
          variant="default"
          says="Brings back what was taken back, except what was changed since"
          offBecause={away}
          loading={restore.isPending}
          onClick={() => restore.mutate()}
        >
          Restore
        </ControlButton>
      </Group>
    </Alert>
  );
}

function Lines({ title, lines }: { readonly title: string; readonly lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <Card title={title}>
      <ul className="plain-list">
        {keyed(lines).map(({ key, line }) => (
          <Text key={key} component="li" size="sm" className="run-row breakable" dir="auto">
            {line}
          </Text>
        ))}
      </ul>
    </Card>
  );
}

/** A report never changes, so the place of a line is its name. */
const keyed = (lines: readonly string[]) => lines.map((line, place) => ({ key: `${place}`, line }));

function CostCard({ report }: ReportProps) {
  const { run } = useRun();
  return (
    <Card title="Cost">
      <Group component="dl" gap="lg" m={0} mb="xs">
        {figuresOf(report).map(({ name, value }) => (
          <div key={name}>
            <Text component="dt" size="xs" c="dimmed">
              {name}
            </Text>
            <Text component="dd" m={0} size="sm" fw={600} className="unbroken">
              {value}
            </Text>
          </div>
        ))}
      </Group>
      <AnchorLink size="sm" className="not-printed" to="/homework/runs/$runId/details" params={{ runId: run.id }}>
        Cost by model, limits and charts
      </AnchorLink>
    </Card>
  );
}
