// Going on without an answer: the tasks are told to decide for themselves, and why, if the reader says so.

import { Text, Textarea } from "@mantine/core";
import { useState } from "react";
import type { Escalation } from "../../../../../src/protocol/api.ts";
import { FormModal } from "../../../ui/form-modal.tsx";
import { useDismiss } from "./use-escalation.ts";

type DismissModalProps = { readonly escalation: Escalation; readonly onClose: () => void };

export function DismissModal({ escalation, onClose }: DismissModalProps) {
  const [why, setWhy] = useState("");
  const dismiss = useDismiss(escalation, onClose);
  return (
    <FormModal
      title="Continue without an answer?"
      onClose={onClose}
      onSubmit={() => dismiss.mutate(why.trim())}
      action="Dismiss question"
      isBusy={dismiss.isPending}
    >
      <Text size="sm">
        Paused tasks go on. They use their best judgement and say what they assumed.
        {escalation.trigger.type === "gate" ? " The approval itself stays open." : ""}
      </Text>
      <Textarea
        label="Reason (optional)"
        autosize
        minRows={2}
        maxRows={8}
        maxLength={2_000}
        dir="auto"
        value={why}
        onChange={(event) => setWhy(event.currentTarget.value)}
      />
    </FormModal>
  );
}
