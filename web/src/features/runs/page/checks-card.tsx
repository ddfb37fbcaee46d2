// What the platform measures the run by, with what it saw when it last looked: green, red, or not looked at yet.

import { Text } from "@mantine/core";
import { useRun } from "../run-context.tsx";
import { useOutputTitles } from "./artifact-links.tsx";
import { Card } from "./card.tsx";
import { CheckRows } from "./check-rows.tsx";

export function ChecksCard() {
  const { run, view } = useRun();
  const checks = run.completion_criteria;
  const titles = useOutputTitles(
    run.id,
    checks.some(({ proof }) => proof !== null && proof.artifacts.length > 0),
  );
  return (
    <Card title="Checks" {...(view.allChecks > 0 ? { beside: `${view.greenChecks} of ${view.allChecks} green` } : {})}>
      {checks.length === 0 ? (
        <Text size="sm" c="dimmed">
          There are no checks yet. The planner names them in its first iteration; it is done only once the platform
          finds all of them green.
        </Text>
      ) : (
        <CheckRows runId={run.id} checks={checks} deliverables={run.deliverables} titles={titles} />
      )}
    </Card>
  );
}
