// The first tab of a run: what it needs from you, and its result, or how far it is.

import { Stack } from "@mantine/core";
import { lazy, Suspense } from "react";
import { RowsSkeleton } from "../../../ui/skeletons.tsx";
import { FinishedResult } from "../report/finished-result.tsx";
import { useRun } from "../run-context.tsx";
import { RunInProgress } from "./run-in-progress.tsx";
import { RunWarnings } from "./run-warnings.tsx";

const QuestionsPanel = lazy(async () => ({
  default: (await import("../approvals/questions-panel.tsx")).QuestionsPanel,
}));

const ended = new Set<string>(["completed", "failed", "canceled", "stopped"]);

export function ResultTab() {
  const { run, view } = useRun();
  const { state } = view;
  // The events are ahead of the run that was read: a report of an earlier end is not shown.
  const report = ended.has(state.status) && run.status === state.status ? run.report : null;
  return (
    <Stack>
      {state.status === "waiting_on_user" ? (
        <Suspense fallback={<RowsSkeleton />}>
          <QuestionsPanel questions={state.questions} />
        </Suspense>
      ) : null}
      <RunWarnings />
      {report === null ? <RunInProgress /> : <FinishedResult report={report} />}
    </Stack>
  );
}
