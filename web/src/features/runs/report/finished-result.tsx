// The result of a run that has ended: the summary and the primary output to read, the rest of what it made, and beside it why
// one may trust it. On paper it is a document of its own.

import { Alert, Group, Stack, Text } from "@mantine/core";
import { lazy, Suspense } from "react";
import type { RunReport } from "../../../../../src/protocol/api.ts";
import { duration } from "../../../../../src/protocol/figures.ts";
import { wordsOf } from "../../../../../src/protocol/report-markdown.ts";
import { Card } from "../../../ui/card.tsx";
import { AnchorLink } from "../../../ui/links.tsx";
import { activeWords } from "../../../ui/run-words.ts";
import { RowsSkeleton } from "../../../ui/skeletons.tsx";
import { EndActions } from "../controls/end-actions.tsx";
import { OutputsByKind } from "../outputs/outputs-by-kind.tsx";
import { costSoFar } from "../page/fact-words.ts";
import { FollowUpsCard } from "../page/follow-ups-card.tsx";
import { NowCard } from "../page/now-card.tsx";
import { PlanCard } from "../page/plan-card.tsx";
import { useRun } from "../run-context.tsx";
import { PrimaryOutput } from "./primary-output.tsx";
import { PrintedFooter, PrintedHeader } from "./printed-frame.tsx";
import { ReportActions } from "./report-actions.tsx";
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
  // There the platform itself wrote the summary, and the card above says the same.
  const isCutShort = run.status === "failed" || run.status === "canceled";
  const isEmpty = isCutShort && run.made.length === 0 && !report.work?.file_count;
  return (
    <article className="report" aria-label="Result">
      <PrintedHeader report={report} />
      {isUndone ? <UndoneBanner /> : null}
      <div className="result">
        <Stack className="result-main">
          {run.status === "completed" ? null : <NowCard action={<EndActions />} />}
          {isCutShort ? null : <Summary label={words.result} text={report.summary} />}
          <PrimaryOutput report={report} />
          {run.engine === "agent" ? (
            <Suspense fallback={<RowsSkeleton />}>
              <WorkCard />
            </Suspense>
          ) : null}
          {run.status === "stopped" || run.status === "canceled" ? <PlanCard /> : null}
          <OutputsByKind
            title={report.primary_output === null ? "What the run made" : "Everything else"}
            exceptId={report.primary_output?.id ?? null}
          />
        </Stack>
        <Stack className="result-aside">
          {isEmpty ? null : <TrustCard isUndone={isUndone} />}
          <FollowUpsCard />
          <Lines title={words.openQuestions} lines={report.open_questions} />
          <Lines title={words.unsure} lines={report.unsure} />
          <SaidCard report={report} />
          <SourcesCard report={report} />
          <CostCard />
          {isEmpty ? null : (
            <Card title="Export" className="not-printed">
              <ReportActions report={report} />
            </Card>
          )}
        </Stack>
      </div>
      <PrintedFooter />
    </article>
  );
}

function UndoneBanner() {
  return (
    <Alert variant="default" title="You undid this run" mb="md">
      <Text size="sm">
        What this run wrote was taken back. Its checks no longer apply. Restore brings everything back, except what was
        changed since.
      </Text>
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

/** From the ledger, as in the header: the report was written before the last call was paid for. */
function CostCard() {
  const { run, view, usage } = useRun();
  const figures = [
    { name: "Cost", value: costSoFar(view, usage) },
    ...(activeWords(view.runningMs) === null ? [] : [{ name: "Active time", value: duration(view.runningMs) }]),
  ];
  return (
    <Card title="Cost">
      <Group component="dl" gap="lg" m={0} mb="xs">
        {figures.map(({ name, value }) => (
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
