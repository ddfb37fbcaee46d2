// The round box in front of a task: ticked when it is done.

import { Checkbox } from "@mantine/core";
import type { EntitySummary } from "../../../src/protocol/api.ts";
import { useTickTask } from "./use-tick-task.ts";

type TaskTickProps = {
  readonly task: EntitySummary;
  /** The reader may look at the task, not change it. */
  readonly isReadOnly?: boolean;
};

export function TaskTick({ task, isReadOnly = false }: TaskTickProps) {
  const { setDone } = useTickTask(task);
  return (
    <Checkbox
      radius="xl"
      color="green"
      className="unshrinkable"
      aria-label={`Done: ${task.title}`}
      checked={task.state_key === "done"}
      disabled={isReadOnly}
      onChange={(event) => setDone(event.currentTarget.checked)}
    />
  );
}
