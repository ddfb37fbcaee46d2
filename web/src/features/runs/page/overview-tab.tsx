// The first page of a run: what it needs from you, what it is doing and why, how far it is, and what it has cost.

import { SimpleGrid, Spoiler, Stack } from "@mantine/core";
import { lazy, Suspense } from "react";
import { RowsSkeleton } from "../../../ui/skeletons.tsx";
import { useRun } from "../run-context.tsx";
import { BudgetsCard } from "./budgets-card.tsx";
import { ChecksCard } from "./checks-card.tsx";
import { MessagesCard } from "./messages-card.tsx";
import { NowCard } from "./now-card.tsx";
import { PlanCard } from "./plan-card.tsx";
import { RunWarnings } from "./run-warnings.tsx";
import { UsageCard } from "./usage-card.tsx";
import { WhenSeen } from "./when-seen.tsx";

const QuestionsPanel = lazy(async () => ({
  default: (await import("../approvals/questions-panel.tsx")).QuestionsPanel,
}));
const ScratchpadCard = lazy(async () => ({
  default: (await import("../research/scratchpad-card.tsx")).ScratchpadCard,
}));
const WorkCard = lazy(async () => ({ default: (await import("./work-card.tsx")).WorkCard }));
const RunPictures = lazy(async () => ({ default: (await import("../pictures/run-pictures.tsx")).RunPictures }));

export function OverviewTab() {
  const { run, view } = useRun();
  return (
    <Stack>
      {view.state.status === "waiting_on_user" ? (
        <Suspense fallback={<RowsSkeleton />}>
          <QuestionsPanel questions={view.state.questions} />
        </Suspense>
      ) : null}
      <RunWarnings />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Stack>
          <NowCard />
          <PlanCard />
          <MessagesCard />
        </Stack>
        <Stack>
          <BudgetsCard />
          <ChecksCard />
        </Stack>
      </SimpleGrid>
      {run.engine === "agent" ? (
        <Suspense fallback={<RowsSkeleton />}>
          <WorkCard />
        </Suspense>
      ) : null}
      <UsageCard />
      <WhenSeen>
        <Spoiler maxHeight={280} showLabel="Show all of these notes" hideLabel="Show less">
          <ScratchpadCard />
        </Spoiler>
      </WhenSeen>
      <WhenSeen>
        <RunPictures />
      </WhenSeen>
    </Stack>
  );
}
