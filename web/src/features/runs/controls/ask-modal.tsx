// Begins a chat that knows the run, with a first question if there is one already.

import { Text, Textarea } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { routes } from "../../../../../src/protocol/api.ts";
import { runLimits } from "../../../../../src/protocol/kinds.ts";
import { useCreate } from "../../../lib/use-create.ts";
import { FormModal } from "../../../ui/form-modal.tsx";
import { useRun } from "../run-context.tsx";
import { isSendKey } from "./send-key.ts";

export function AskModal({ onClose }: { readonly onClose: () => void }) {
  const { run } = useRun();
  const [text, setText] = useState("");
  const navigate = useNavigate();
  const begin = useCreate(routes.chats.followUp, {
    onSuccess: ({ chat_id: chatId }) => {
      onClose();
      void navigate({ to: "/chat/$chatId", params: { chatId } });
    },
  });
  const send = () => {
    const body = text.trim() === "" ? {} : { text };
    if (!begin.isPending) begin.mutate({ params: { runId: run.id }, body });
  };
  return (
    <FormModal
      title="Ask about this run"
      onClose={onClose}
      onSubmit={send}
      action="Start chat"
      isBusy={begin.isPending}
    >
      <Text size="sm">Starts a chat that knows the objective, what the run wrote, its checks and its report.</Text>
      <Textarea
        label="Your question"
        description="Enter sends, Shift+Enter adds a line. Empty: starts an empty chat."
        data-autofocus
        autosize
        minRows={3}
        maxRows={10}
        maxLength={runLimits.message}
        dir="auto"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (!isSendKey(event)) return;
          event.preventDefault();
          send();
        }}
      />
    </FormModal>
  );
}
