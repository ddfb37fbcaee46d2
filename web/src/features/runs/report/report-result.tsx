// What came of a run: the thing to open first, how it begins, and the summary.

import { Text } from "@mantine/core";
import type { RunReport } from "../../../../../src/protocol/api.ts";
import { wordsOf } from "../../../../../src/protocol/report-markdown.ts";
import { LazyMarkdown } from "../../../ui/lazy-markdown.tsx";
import { ReportSection } from "./report-section.tsx";
import { ReportThing } from "./report-thing.tsx";
import { kindOf } from "./report-words.ts";

export function ReportResult({ report }: { readonly report: RunReport }) {
  const { primary_output: primary } = report;
  return (
    <ReportSection title={wordsOf(report).result}>
      {primary ? (
        <>
          <Text size="lg" fw={600} component="div">
            <ReportThing
              thing={{
                id: primary.id,
                kind: kindOf(primary.type),
                title: primary.title,
                projectId: primary.project_id,
              }}
            />
          </Text>
          {primary.opening === "" ? null : (
            <blockquote className="report-opening" dir="auto">
              <LazyMarkdown text={primary.opening} />
            </blockquote>
          )}
        </>
      ) : null}
      <div dir="auto">
        <LazyMarkdown text={report.summary} />
      </div>
    </ReportSection>
  );
}
