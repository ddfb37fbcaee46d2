// Begins a chat that knows the run, with a first question if there is one already.

import { Stack, Text, Textarea } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { routes } from "../../../../../src/protocol/api.ts";
import { runLimits } from "../../../../../src/protocol/kinds.ts";
import { useCreate } from "../../../lib/use-create.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { DialogButtons } from "../../../ui/dialog-buttons.tsx";
import { useRun } from "../run-context.tsx";

export function FollowUpModal({ onClose }: { readonly onClose: () => void }) {
  const { run } = useRun();
  const [text, setText] = useState("");
  const navigate = useNavigate();
  const begin = useCreate(routes.chats.followUp, {
    onSuccess: ({ chat_id: chatId }) => {
      onClose();
      void navigate({ to: "/chat/$chatId", params: { chatId } });
    },
  });
  return (
    <Dialog onClose={onClose} title="Ask about this run">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const body = text.trim() === "" ? {} : { text };
          begin.mutate({ params: { runId: run.id }, body });
        }}
      >
        <Stack>
          <Text size="sm">
            A chat begins that knows what the run was asked, what it wrote, its checks and its report. The run itself is
            not changed by it.
          </Text>
          <Textarea
            label="Your question"
            description="Leave it empty to begin with an empty chat"
            data-autofocus
            autosize
            minRows={3}
            maxRows={10}
            maxLength={runLimits.message}
            dir="auto"
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <DialogButtons onCancel={onClose} action="Begin the chat" isBusy={begin.isPending} />
        </Stack>
      </form>
    </Dialog>
  );
}
