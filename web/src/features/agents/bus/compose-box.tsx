// Where a person writes a message to agents. What was typed survives a reload.

import { Button, CloseButton, Group, Select, Text, Textarea } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { type BusMessage, routes } from "../../../../../src/protocol/api.ts";
import { type BusPlace, busKey } from "../../../lib/data/agents.ts";
import { useCreate } from "../../../lib/use-create.ts";
import { useDraft } from "../../../lib/use-draft.ts";
import { showDone } from "../../../ui/toast.ts";

const types = ["USER", "ANSWER", "INFO", "QUESTION", "FACT", "ISSUE"];
const textMax = 200_000;

type ComposeBoxProps = {
  readonly place: BusPlace;
  readonly replyTo: BusMessage | null;
  readonly hint: string | null;
  readonly onDone: () => void;
};

export function ComposeBox({ place, replyTo, hint, onDone }: ComposeBoxProps) {
  const draft = useDraft(`homework.bus-draft.${place.agentProject}/${place.agentTask ?? ""}`, readDraft);
  const { text, type } = draft.value;
  const input = useRef<HTMLTextAreaElement>(null);
  const post = usePost(place, () => {
    draft.change({ text: "", type: "USER" });
    draft.forget();
    onDone();
  });
  useEffect(() => {
    if (replyTo !== null) input.current?.focus();
  }, [replyTo]);
  const send = () => {
    if (text.trim() === "" || post.isPending) return;
    const kind = replyTo?.type === "QUESTION" ? "ANSWER" : type;
    post.send({ type: kind, message: text, parents: replyTo === null ? [] : [replyTo.msg_id] });
  };
  return (
    <form
      aria-label="Post a message"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {replyTo === null ? null : (
        <Group gap={4} wrap="nowrap" mb={4}>
          <Text size="sm" c="dimmed" lineClamp={1}>
            {replyTo.type === "QUESTION" ? "Answering" : "Replying to"}: {replyTo.body}
          </Text>
          <CloseButton size="sm" aria-label="Do not reply to a message" onClick={onDone} />
        </Group>
      )}
      <Textarea
        ref={input}
        aria-label="Message"
        placeholder="Write to the agents"
        autosize
        minRows={2}
        maxRows={10}
        maxLength={textMax}
        dir="auto"
        value={text}
        onChange={(event) => draft.change({ text: event.currentTarget.value, type })}
        onKeyDown={sendOnEnter}
        description={type === "USER" && replyTo?.type !== "QUESTION" ? hint : null}
        inputWrapperOrder={["label", "input", "description", "error"]}
      />
      <Group justify="space-between" mt="xs" gap="xs">
        {replyTo?.type === "QUESTION" ? (
          <Text size="sm">As an answer</Text>
        ) : (
          <Select
            aria-label="Type of message"
            w={140}
            size="xs"
            data={types}
            value={type}
            allowDeselect={false}
            onChange={(chosen) => draft.change({ text, type: chosen ?? "USER" })}
          />
        )}
        <Button
          type="submit"
          size="sm"
          leftSection={<IconSend size={16} aria-hidden />}
          loading={post.isPending}
          disabled={text.trim() === ""}
        >
          Post message
        </Button>
      </Group>
    </form>
  );
}

type Draft = { readonly text: string; readonly type: string };

function readDraft(kept: unknown): Draft {
  const { text, type } = (typeof kept === "object" && kept !== null ? kept : {}) as Partial<Draft>;
  return {
    text: typeof text === "string" ? text : "",
    type: typeof type === "string" && types.includes(type) ? type : "USER",
  };
}

type NewMessage = { readonly type: string; readonly message: string; readonly parents: string[] };

function usePost({ agentProject, agentTask }: BusPlace, onPosted: () => void) {
  const queryClient = useQueryClient();
  const onSuccess = () => {
    showDone("Message posted.");
    void queryClient.invalidateQueries({ queryKey: busKey({ agentProject, agentTask }) });
    onPosted();
  };
  const toTask = useCreate(routes.agents.post, { onSuccess });
  const toProject = useCreate(routes.agents.postToProject, { onSuccess });
  return {
    isPending: toTask.isPending || toProject.isPending,
    send: (body: NewMessage) =>
      agentTask === null
        ? toProject.mutate({ params: { agentProject }, body })
        : toTask.mutate({ params: { agentProject, agentTask }, body }),
  };
}

function sendOnEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}
