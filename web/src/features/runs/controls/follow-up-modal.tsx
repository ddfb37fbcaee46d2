// Starts a new run that knows this one: only what should also be done is asked for, the rest is as it was.

import { Text, Textarea } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { routes } from "../../../../../src/protocol/api.ts";
import { runLimits } from "../../../../../src/protocol/kinds.ts";
import { runQuery } from "../../../lib/data/runs.ts";
import { useCreate } from "../../../lib/use-create.ts";
import { FormModal } from "../../../ui/form-modal.tsx";
import { writeModeWords } from "../page/settings-words.ts";
import { useRun } from "../run-context.tsx";
import { isSendKey } from "./send-key.ts";

export function FollowUpModal({ onClose }: { readonly onClose: () => void }) {
  const { run } = useRun();
  const [objective, setObjective] = useState("");
  const isEmpty = objective.trim() === "";
  const start = useStart(run.id, onClose);
  const send = () => {
    if (!isEmpty && !start.isPending) start.mutate({ params: { runId: run.id }, body: { objective } });
  };
  return (
    <FormModal
      title="Follow up"
      size="lg"
      onClose={onClose}
      onSubmit={send}
      action="Start run"
      isBusy={start.isPending}
    >
      <Text size="sm">Starts a new run that knows this run’s objective, results and messages.</Text>
      <Textarea
        label="What should also be done?"
        description="Enter sends, Shift+Enter adds a line."
        required
        data-autofocus
        autosize
        minRows={3}
        maxRows={12}
        maxLength={runLimits.objective}
        dir="auto"
        value={objective}
        onChange={(event) => setObjective(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (!isSendKey(event)) return;
          event.preventDefault();
          send();
        }}
      />
      <Text size="sm" c="dimmed">
        {writeModeWords[run.permissions.write_mode]} · same projects and limits as this run
      </Text>
    </FormModal>
  );
}

/** The page of the old run names its follow-ups, so it is read again when someone comes back to it. */
function useStart(runId: string, onClose: () => void) {
  const navigate = useNavigate();
  const client = useQueryClient();
  return useCreate(routes.runs.continue, {
    onSuccess: ({ id }) => {
      onClose();
      void client.invalidateQueries({ queryKey: runQuery(runId).queryKey });
      void navigate({ to: "/homework/runs/$runId", params: { runId: id } });
    },
  });
}
