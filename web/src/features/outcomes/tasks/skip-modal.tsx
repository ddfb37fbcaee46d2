// Skips a task, with a reason if there is one.

import { Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { type OutcomeTask, routes } from "../../../../../src/protocol/api.ts";
import { api } from "../../../lib/api.ts";
import { FormModal } from "../../../ui/form-modal.tsx";
import { showDone } from "../../../ui/toast.ts";
import { useOutcome } from "../outcome-context.tsx";
import { useOutcomeCommand } from "../use-outcome-command.ts";
import { nameTask } from "./task-words.ts";

/** As the contract has it. */
const whyMax = 2_000;

type SkipModalProps = { readonly task: OutcomeTask; readonly onClose: () => void };

export function SkipModal({ task, onClose }: SkipModalProps) {
  const { id: outcomeId } = useOutcome();
  const [why, setWhy] = useState("");
  const skip = useOutcomeCommand({
    failure: "The task was not skipped",
    send: () =>
      api(routes.outcomeTasks.markObsolete, { params: { outcomeId, taskId: task.id }, body: { why: why.trim() } }),
    onDone: () => {
      showDone(`#${task.number} is skipped`);
      onClose();
    },
  });
  return (
    <FormModal
      title={`Skip ${nameTask(task)}?`}
      onClose={onClose}
      onSubmit={() => skip.mutate(undefined)}
      action="Skip task"
      isBusy={skip.isPending}
    >
      <Text size="sm">
        {task.run_id === null ? "" : "Its run is canceled. "}Tasks that wait for it go on without it. This cannot be
        undone.
      </Text>
      <Textarea
        label="Reason (optional)"
        autosize
        minRows={2}
        maxRows={6}
        maxLength={whyMax}
        data-autofocus
        dir="auto"
        value={why}
        onChange={(event) => setWhy(event.currentTarget.value)}
      />
    </FormModal>
  );
}
