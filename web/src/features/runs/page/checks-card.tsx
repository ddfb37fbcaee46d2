// What the platform measures the run by, with what it saw when it last looked: pending, passed or failed.

import { Text } from "@mantine/core";
import { Card } from "../../../ui/card.tsx";
import { useRun } from "../run-context.tsx";
import { useOutputTitles } from "./artifact-links.tsx";
import { CheckRows } from "./check-rows.tsx";
import { isDue } from "./check-state.ts";

export function ChecksCard() {
  const { run, view } = useRun();
  const checks = run.completion_criteria;
  const titles = useOutputTitles(
    run.id,
    checks.some(({ proof }) => proof !== null && proof.artifacts.length > 0),
  );
  const due = isDue(view, run);
  const beside = view.greenChecks === 0 && !due ? "Pending" : `${view.greenChecks} of ${view.allChecks} passed`;
  return (
    <Card title="Checks" {...(view.allChecks > 0 ? { beside } : {})}>
      {checks.length === 0 ? (
        <Text size="sm" c="dimmed">
          No checks yet. The planner names them in its first iteration.
        </Text>
      ) : (
        <CheckRows runId={run.id} checks={checks} deliverables={run.deliverables} titles={titles} due={due} />
      )}
    </Card>
  );
}
