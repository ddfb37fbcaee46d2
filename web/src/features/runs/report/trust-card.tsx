// Whether a result can be trusted: each check in a line, with what was seen on opening.

import { Text } from "@mantine/core";
import { ranNoCommand } from "../../../../../src/protocol/report-markdown.ts";
import { Card } from "../../../ui/card.tsx";
import { useOutputTitles } from "../page/artifact-links.tsx";
import { CheckRows } from "../page/check-rows.tsx";
import { anyLookedAt, passedWords } from "../page/check-state.ts";
import { useRun } from "../run-context.tsx";

export function TrustCard({ isUndone }: { readonly isUndone: boolean }) {
  const { run, view } = useRun();
  const checks = run.completion_criteria;
  const isCanceled = view.state.status === "canceled";
  const isUnchecked = isCanceled ? view.greenChecks === 0 : view.state.status === "failed" && !anyLookedAt(checks);
  const besideWords = isUndone
    ? "No longer apply"
    : isUnchecked
      ? "Not checked"
      : passedWords(checks, view.greenChecks, view.allChecks);
  const kinds = checks.map(({ kind }) => kind);
  const hasNoCommand = !isUndone && !isCanceled && ranNoCommand(run.engine === "agent", kinds);
  const titles = useOutputTitles(
    run.id,
    checks.some(({ proof }) => proof !== null && proof.artifacts.length > 0),
  );
  return (
    <Card title="Can I trust it?" printed="Checks" className="run-trust" beside={besideWords}>
      {isUndone ? (
        <Text size="sm" c="dimmed">
          The checks looked at what was taken back.
        </Text>
      ) : null}
      {isCanceled && !isUndone ? (
        <Text size="sm" c="dimmed">
          The run was canceled before its checks were due.
        </Text>
      ) : null}
      {hasNoCommand ? <Text size="sm">No command was run to check this.</Text> : null}
      {checks.length === 0 ? (
        <Text size="sm" c="dimmed">
          The run had no checks.
        </Text>
      ) : (
        <CheckRows
          runId={run.id}
          checks={checks}
          deliverables={run.deliverables}
          titles={titles}
          due={!isCanceled}
          isVoid={isUndone}
        />
      )}
    </Card>
  );
}
