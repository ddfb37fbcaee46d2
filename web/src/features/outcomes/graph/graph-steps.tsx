// What the picture of dependencies says, for narrow screens: the tasks step by step, from top to bottom.

import { Stack, Text, Title } from "@mantine/core";
import type { OutcomeTask } from "../../../../../src/protocol/api.ts";
import { listNumbers } from "../tasks/task-words.ts";
import { GraphNode } from "./graph-node.tsx";

type GraphStepsProps = {
  readonly tasks: readonly OutcomeTask[];
  readonly ranks: ReadonlyMap<string, number>;
  readonly heldUpBy: (task: OutcomeTask) => readonly OutcomeTask[];
};

export function GraphSteps({ tasks, ranks, heldUpBy }: GraphStepsProps) {
  const count = Math.max(-1, ...ranks.values()) + 1;
  const steps = Array.from({ length: count }, (_, rank) => tasks.filter(({ id }) => ranks.get(id) === rank));
  return (
    <Stack gap="md" className="graph-steps">
      {steps.map((step, at) => (
        <section key={step[0]?.id ?? at} aria-label={`Step ${at + 1}`}>
          <Title order={2} size="h6" mb={6}>
            {at === 0 ? "Step 1: waits for no other task" : `Step ${at + 1}`}
          </Title>
          <ul className="graph-alone">
            {step.map((task) => (
              <li key={task.id}>
                <GraphNode task={task} tasks={tasks} heldUpBy={heldUpBy(task)} />
                <After task={task} tasks={tasks} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Stack>
  );
}

function After({ task, tasks }: { readonly task: OutcomeTask; readonly tasks: readonly OutcomeTask[] }) {
  const before = tasks.filter(({ id }) => task.depends_on.includes(id));
  if (before.length === 0) return null;
  return (
    <Text size="xs" c="dimmed" mt={2}>
      After {listNumbers(before)}
    </Text>
  );
}
