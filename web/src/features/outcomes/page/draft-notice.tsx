// What an outcome that has not been started needs: HOMЯ's draft that is being written, a plan to check, or a plan to write.

import { Alert } from "@mantine/core";
import { IconClipboardCheck, IconPencil, IconSparkles } from "@tabler/icons-react";
import { counted } from "../../../../../src/protocol/figures.ts";
import { tone } from "../../../lib/tones.ts";
import { useOutcome } from "../outcome-context.tsx";

export function DraftNotice() {
  const { status, is_drafting: isDrafting, tasks, latest, intent } = useOutcome();
  if (isDrafting)
    return (
      <Alert
        color="blue"
        title="HOMЯ is drafting the plan"
        icon={<IconSparkles aria-hidden />}
        role="status"
        className="breakable"
      >
        Intent, approach and tasks appear here when they are ready. You can close this tab.
      </Alert>
    );
  if (status !== "dormant") return null;
  if (tasks.pending === 0 && intent.summary === "")
    return (
      <Alert color={tone.plain} title="This outcome has no plan" icon={<IconPencil aria-hidden />}>
        {latest === null ? "Write the intent and add tasks, then start." : latest.summary}
      </Alert>
    );
  return (
    <Alert color="blue" title="Check the plan, then start" icon={<IconClipboardCheck aria-hidden />}>
      {counted(tasks.pending, "task")} planned. Edit the intent, the tasks and the approach. No task runs until you
      start.
    </Alert>
  );
}
