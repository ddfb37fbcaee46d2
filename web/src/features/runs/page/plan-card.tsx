// The plan of a run: each step with how it stands, who works on it, when it was last touched, and what shows that it is done.

import { Text } from "@mantine/core";
import { counted } from "../../../../../src/protocol/figures.ts";
import { Card } from "../../../ui/card.tsx";
import { useRun } from "../run-context.tsx";
import { useOutputTitles } from "./artifact-links.tsx";
import { PlanSteps } from "./plan-steps.tsx";

export function PlanCard() {
  const { run } = useRun();
  const hasEnded = run.status === "failed" || run.status === "canceled";
  const titles = useOutputTitles(
    run.id,
    run.plan.some(({ evidence }) => evidence.length > 0),
  );
  const counting = run.plan.filter(({ status }) => status !== "dropped");
  const done = counting.filter(({ status }) => status === "done").length;
  return (
    <Card
      title="Plan"
      {...(counting.length > 0 ? { beside: `${done} of ${counted(counting.length, "step")} done` } : {})}
    >
      {run.plan.length === 0 ? (
        <Text size="sm" c="dimmed">
          {hasEnded ? "The run ended before it had a plan." : "No plan yet. The first iteration makes one."}
        </Text>
      ) : (
        <PlanSteps runId={run.id} steps={run.plan} titles={titles} />
      )}
    </Card>
  );
}
