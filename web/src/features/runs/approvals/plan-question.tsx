// The plan that a run wants to follow, with the checks it would be measured by. The decision is in the bar.

import { SimpleGrid, Stack, Title } from "@mantine/core";
import { CheckRows } from "../page/check-rows.tsx";
import { PlanSteps } from "../page/plan-steps.tsx";
import { useRun } from "../run-context.tsx";

export function PlanQuestion() {
  const { run } = useRun();
  return (
    <Stack gap="sm" role="group" aria-label="The plan">
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <section aria-label="Steps">
          <Title order={3} size="h6">
            Steps
          </Title>
          <PlanSteps runId={run.id} steps={run.plan} begun="To do" />
        </section>
        <section aria-label="Success checks">
          <Title order={3} size="h6">
            Success checks
          </Title>
          <CheckRows
            runId={run.id}
            checks={run.completion_criteria.map((check) => ({ ...check, proof: null }))}
            deliverables={run.deliverables}
            due={false}
          />
        </section>
      </SimpleGrid>
    </Stack>
  );
}
