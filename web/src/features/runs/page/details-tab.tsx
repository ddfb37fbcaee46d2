// What stands behind a run: limits, cost, charts, settings and the scratchpad.

import { SimpleGrid, Stack } from "@mantine/core";
import { lazy } from "react";
import { usePageTitle } from "../../../ui/use-page-title.ts";
import { useRun } from "../run-context.tsx";
import { BudgetsCard } from "./budgets-card.tsx";
import { SettingsCard } from "./settings-card.tsx";
import { UsageCard } from "./usage-card.tsx";
import { WhenSeen } from "./when-seen.tsx";

const ScratchpadCard = lazy(async () => ({
  default: (await import("../research/scratchpad-card.tsx")).ScratchpadCard,
}));
const RunPictures = lazy(async () => ({ default: (await import("../pictures/run-pictures.tsx")).RunPictures }));

export function DetailsTab() {
  const { run } = useRun();
  usePageTitle("Details", run.title);
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <BudgetsCard />
        <UsageCard />
      </SimpleGrid>
      <WhenSeen>
        <RunPictures />
      </WhenSeen>
      <SettingsCard />
      <WhenSeen>
        <ScratchpadCard />
      </WhenSeen>
    </Stack>
  );
}
