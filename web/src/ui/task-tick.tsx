// The round box in front of a task: ticked when it is done.

import { Checkbox } from "@mantine/core";
import type { EntitySummary } from "../../../src/protocol/api.ts";
import { useTickTask } from "./use-tick-task.ts";

export function TaskTick({ task }: { readonly task: EntitySummary }) {
  const { setDone } = useTickTask(task);
  return (
    <Checkbox
      radius="xl"
      color="green"
      className="unshrinkable"
      aria-label={`Done: ${task.title}`}
      checked={task.state_key === "done"}
      onChange={(event) => setDone(event.currentTarget.checked)}
    />
  );
}
