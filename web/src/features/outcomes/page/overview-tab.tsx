// The first page of an outcome: what needs the reader, then, once it is achieved, its results; how it stands and its tasks, beside what is
// wanted.

import { Grid, Stack } from "@mantine/core";
import { RowsSkeleton } from "../../../ui/skeletons.tsx";
import { usePageTitle } from "../../../ui/use-page-title.ts";
import { IntentCard } from "../intent/intent-card.tsx";
import { useOutcome } from "../outcome-context.tsx";
import { TasksCard } from "../tasks/tasks-card.tsx";
import { AskingRuns } from "../tower/asking-runs.tsx";
import { EscalationAlerts } from "../tower/escalation-alerts.tsx";
import { GuidanceCard } from "../tower/guidance-card.tsx";
import { ReviewsCard } from "../tower/reviews-card.tsx";
import { StatusCard } from "../tower/status-card.tsx";
import { DraftNotice } from "./draft-notice.tsx";
import { ResultsCard, useResults } from "./results-card.tsx";

export function OverviewTab() {
  const { name, status } = useOutcome();
  usePageTitle(name, "Outcomes");
  const isAchieved = status === "achieved";
  const { results, isPending } = useResults();
  return (
    <Stack>
      <EscalationAlerts />
      <AskingRuns />
      <DraftNotice />
      <Grid>
        <Grid.Col span={{ base: 12, lg: 7 }}>
          {isAchieved && isPending ? (
            <RowsSkeleton />
          ) : (
            <Stack>
              {isAchieved ? <ResultsCard results={results} /> : null}
              <StatusCard />
              <TasksCard />
              {isAchieved ? null : <ResultsCard results={results} />}
            </Stack>
          )}
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Stack>
            <IntentCard />
            <GuidanceCard />
            <ReviewsCard />
          </Stack>
        </Grid.Col>
      </Grid>
    </Stack>
  );
}
