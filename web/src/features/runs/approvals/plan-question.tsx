// The plan that a run wants to follow, with the checks it would be measured by, and what the run says beside it. The decision is in
// the bar.

import { SimpleGrid, Stack, Title } from "@mantine/core";
import type { Question } from "../../../../../src/protocol/run-view.ts";
import { LazyMarkdown } from "../../../ui/lazy-markdown.tsx";
import { CheckRows } from "../page/check-rows.tsx";
import { PlanSteps } from "../page/plan-steps.tsx";
import { useRun } from "../run-context.tsx";
import { keepLines } from "./plain-question.tsx";

export function PlanQuestion({ question }: { readonly question: Question }) {
  const { run } = useRun();
  // Its first paragraph says what the bar says.
  const beside = question.text.split("\n\n").slice(1).join("\n\n");
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
      {beside === "" ? null : (
        <div className="question" dir="auto">
          <LazyMarkdown text={keepLines(beside)} />
        </div>
      )}
    </Stack>
  );
}
