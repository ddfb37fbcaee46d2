// The final report of a run: to read, to print, to take away. It is written when the run ends, and anew when it ends again.

import { Alert } from "@mantine/core";
import { IconFileCertificate, IconRefresh } from "@tabler/icons-react";
import { EmptyNotice } from "../../../ui/empty-notice.tsx";
import { ButtonLink } from "../../../ui/links.tsx";
import { goesOnByItself } from "../../../ui/run-words.ts";
import { usePageTitle } from "../../../ui/use-page-title.ts";
import { useRun } from "../run-context.tsx";
import { ReportActions } from "./report-actions.tsx";
import { ReportSheet } from "./report-sheet.tsx";
import "./report.css";

export function ReportTab() {
  const { run } = useRun();
  usePageTitle("Report", run.objective.slice(0, 60));
  const { report } = run;
  if (!report) return <NoReport />;
  const hasGoneOn = goesOnByItself(run.status) || run.status === "waiting_on_user";
  return (
    <>
      {hasGoneOn ? (
        <Alert color="blue" mb="md" icon={<IconRefresh aria-hidden />} title="This report is of last time">
          The run was taken up again since. The report is written anew when it ends.
        </Alert>
      ) : null}
      <ReportActions report={report} />
      <ReportSheet run={run} report={report} />
    </>
  );
}

function NoReport() {
  const { run } = useRun();
  const waits = run.status === "waiting_on_user";
  return (
    <EmptyNotice
      icon={<IconFileCertificate aria-hidden />}
      title="The report is written at the end"
      actions={
        <>
          <ButtonLink to="/homework/runs/$runId" params={{ runId: run.id }} variant="default">
            {waits ? "Answer it" : "See what it is doing"}
          </ButtonLink>
          <ButtonLink to="/homework/runs/$runId/outputs" params={{ runId: run.id }} variant="default">
            See what it has made
          </ButtonLink>
        </>
      }
    >
      {waits
        ? "The run waits for your answer. When it is done you find here what came of it, what was checked and what it cost."
        : "When the run ends you find here what came of it, what was checked and what it cost. You need not keep this page open."}
    </EmptyNotice>
  );
}
