// What the marks in the picture of dependencies mean.

import { Group, Text } from "@mantine/core";
import { type TaskStatus, taskStatusWords } from "./task-words.ts";

export function GraphLegend() {
  return (
    <Group gap="md" role="list" aria-label="Legend">
      {(Object.keys(taskStatusWords) as TaskStatus[]).map((status) => (
        <Group key={status} gap={6} role="listitem">
          <span className="status-mark" data-status={status} aria-hidden />
          <Text size="xs">{taskStatusWords[status]}</Text>
        </Group>
      ))}
    </Group>
  );
}
