// Going on without an answer: the tasks are told to decide for themselves, and why, if the reader says so.

import { Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import type { Escalation } from "../../../../../src/protocol/api.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { DialogButtons } from "../../../ui/dialog-buttons.tsx";
import { useDismiss } from "./use-escalation.ts";

type DismissModalProps = { readonly escalation: Escalation; readonly onClose: () => void };

export function DismissModal({ escalation, onClose }: DismissModalProps) {
  const [why, setWhy] = useState("");
  const dismiss = useDismiss(escalation, onClose);
  return (
    <Dialog onClose={onClose} title="Continue without an answer?">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          dismiss.mutate(why.trim());
        }}
      >
        <Stack>
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
          <DialogButtons onCancel={onClose} action="Dismiss question" isBusy={dismiss.isPending} />
        </Stack>
      </form>
    </Dialog>
  );
}
