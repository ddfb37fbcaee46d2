// What one came for: the primary output of a run, rendered as it is now.

import { Blockquote, Group, Paper, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Run, RunReport } from "../../../../../src/protocol/api.ts";
import type { EntityKind } from "../../../../../src/protocol/kinds.ts";
import { wordsOf } from "../../../../../src/protocol/report-markdown.ts";
import { primaryOutputQuery } from "../../../lib/data/run-research.ts";
import { codeOf } from "../../../lib/failure.ts";
import { LazyMarkdown } from "../../../ui/lazy-markdown.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { useRun } from "../run-context.tsx";
import { ReportThing } from "./report-thing.tsx";
import { kindOf } from "./report-words.ts";

type Primary = NonNullable<RunReport["primary_output"]>;

export function PrimaryOutput({ report }: { readonly report: RunReport }) {
  const { run } = useRun();
  const { primary_output: primary } = report;
  if (primary === null) return saysNothing(run, report) ? <Text c="dimmed">{wordsOf(report).nothing}</Text> : null;
  const kind = kindOf(primary.type);
  const projectId = primary.project_id;
  return (
    <Paper withBorder p="lg" component="section" className="primary-output" aria-label={primary.title}>
      <Group mb="sm" gap="xs">
        <Text fw={600} component="div" className="grow">
          <ReportThing thing={{ id: primary.id, kind, title: primary.title, projectId }} />
        </Text>
      </Group>
      {kind === null || kind === "project" || projectId === null ? (
        <Opening primary={primary} />
      ) : (
        <Content primary={primary} kind={kind} projectId={projectId} />
      )}
    </Paper>
  );
}

/** Unless something was made, there are files, or the summary above says it already. */
function saysNothing({ made }: Pick<Run, "made">, report: RunReport): boolean {
  return made.length === 0 && !report.work?.file_count && !report.summary.includes(wordsOf(report).nothing);
}

type ContentProps = { readonly primary: Primary; readonly kind: EntityKind; readonly projectId: string };

function Content({ primary, kind, projectId }: ContentProps) {
  const { run } = useRun();
  const found = useQuery(primaryOutputQuery(run, kind, projectId, primary.id));
  if (run.is_undone || codeOf(found.error) === "not_found" || found.data?.deleted_at)
    return (
      <>
        <Text c="dimmed" mb="xs">
          {run.is_undone ? "Taken back." : "Deleted since the run ended."} It began like this:
        </Text>
        <Opening primary={primary} />
      </>
    );
  return (
    <QueryView query={found}>
      {({ content, description }) => (
        <div dir="auto" className="prose">
          <LazyMarkdown text={content.trim() === "" ? description : content} />
        </div>
      )}
    </QueryView>
  );
}

function Opening({ primary: { opening } }: { readonly primary: Primary }) {
  if (opening === "") return null;
  return (
    <Blockquote p="sm" m={0} dir="auto">
      <LazyMarkdown text={opening} />
    </Blockquote>
  );
}
