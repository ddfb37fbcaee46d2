// A task, a goal, a plan or a milestone given to Homework: the composer, filled with what has to be reached.

import { Group, Paper, Text } from "@mantine/core";
import type { Entity } from "../../../../src/protocol/api.ts";
import { StartHomeworkButton } from "../../ui/composer/start-homework-button.tsx";

export function HandOver({ entity }: { readonly entity: Entity }) {
  return (
    <Paper withBorder p="md" component="section" aria-label="Hand over">
      <Group gap="sm">
        <div className="row-text">
          <Text fw={600}>Let Homework work on this {entity.kind}</Text>
          <Text size="sm" c="dimmed">
            A run works in the background and shows you what it made. You can change the objective first.
          </Text>
        </div>
        <StartHomeworkButton projectId={entity.project_id} text={describeObjective(entity)} />
      </Group>
    </Paper>
  );
}

function describeObjective({ kind, title, description }: Entity): string {
  const begins = {
    goal: "Work towards the goal",
    plan: "Carry out the plan",
    milestone: "Prepare the milestone",
    task: "Do the task",
    document: "Improve the document",
  } as const;
  return `${begins[kind]} “${title}”.${description === "" ? "" : `\n\n${description}`}`;
}
