// Where one writes. While an answer is being written it can be stopped; what waits for a word is turned down by writing on.

import { Alert, Button, Group, Text, Textarea } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { IconAlertTriangle, IconPlayerStop, IconSend } from "@tabler/icons-react";
import { type KeyboardEvent, useRef, useState } from "react";
import type { ChatMessage } from "../../../../src/protocol/api.ts";
import { messageOf } from "../../lib/failure.ts";
import { tone } from "../../lib/tones.ts";
import { ForeignTextField } from "../../ui/foreign-text-field.tsx";
import { openAnswerOf } from "./chat-view.ts";
import type { Talk } from "./use-talk.ts";

type MessageBoxProps = {
  readonly chatId: string;
  readonly messages: readonly ChatMessage[];
  readonly talk: Talk;
};

const textMax = 20_000;

export function MessageBox({ chatId, messages, talk }: MessageBoxProps) {
  // What was typed survives a reload.
  const [text, setText, forget] = useLocalStorage({ key: `homework.chat-draft.${chatId}`, defaultValue: "" });
  const [foreignText, setForeignText] = useState("");
  const forgetAll = () => {
    forget();
    setForeignText("");
  };
  const form = useRef<HTMLFormElement>(null);
  const open = openAnswerOf(messages);
  const isWriting = open?.state === "streaming";
  const send = () => {
    if (text.trim() !== "" && !isWriting && !talk.sending.isPending) talk.send(text, foreignText, forgetAll);
  };
  return (
    <form
      ref={form}
      className="chat-box"
      aria-label="Say something"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {talk.sending.error ? (
        <Alert color={tone.failure} mb="xs" role="alert" title="Not sent" icon={<IconAlertTriangle aria-hidden />}>
          {messageOf(talk.sending.error)}
        </Alert>
      ) : null}
      <Textarea
        aria-label="Your message"
        placeholder="Ask, or say what to do"
        autosize
        minRows={2}
        maxRows={12}
        maxLength={textMax}
        dir="auto"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={sendOnEnter}
      />
      <ForeignTextField value={foreignText} onChange={setForeignText} isReadOnly={talk.sending.isPending} />
      <Group justify="space-between" mt="xs" className="chat-send">
        {open?.state === "awaiting_confirmation" ? (
          <Text size="xs" className="faint">
            A new message rejects what waits above
          </Text>
        ) : (
          <Text size="xs" className="faint chat-keys">
            Enter sends, Shift+Enter adds a line
          </Text>
        )}
        {isWriting ? (
          <Button
            variant="default"
            leftSection={<IconPlayerStop size={16} aria-hidden />}
            loading={talk.stop.isPending}
            onClick={() => talk.stop.mutate()}
          >
            Stop
          </Button>
        ) : (
          <Button
            type="submit"
            leftSection={<IconSend size={16} aria-hidden />}
            loading={talk.sending.isPending}
            disabled={text.trim() === ""}
          >
            Send
          </Button>
        )}
      </Group>
    </form>
  );
}

function sendOnEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  // While a word is being composed (Japanese, Chinese …) Enter belongs to that.
  if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}
