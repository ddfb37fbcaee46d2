// Says something to a run, which reads it before its next model call. It is shown at once, as pending.

import { Group, Stack, Text, Textarea } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { type Run, routes } from "../../../../../src/protocol/api.ts";
import { runLimits } from "../../../../../src/protocol/kinds.ts";
import { api } from "../../../lib/api.ts";
import { randomKey } from "../../../lib/random-key.ts";
import { useAway } from "../../../lib/use-away.ts";
import { useDraft } from "../../../lib/use-draft.ts";
import { ControlButton } from "../../../ui/control-button.tsx";
import { useRun } from "../run-context.tsx";
import { isSendKey } from "./send-key.ts";
import { useRunCommand } from "./use-run-command.ts";

/** Of the field, so that the header can lead to it. */
export const guidanceId = "run-guidance";

export function SteerBox() {
  const { run } = useRun();
  const { value: message, change: setMessage, update, forget } = useDraft(`homework-steer:${run.id}`, wordsOf);
  const away = useAway();
  const steer = useRunCommand({
    attempted: "told",
    send: (text: string) => api(routes.runs.steer, { params: { runId: run.id }, body: { message: text } }),
    runOf: (answered) => answered,
    expected: withPending,
    // Nothing that was typed is lost.
    onFailed: (text) => update((typed) => (typed === "" ? text : typed)),
  });
  const send = () => {
    if (message.trim() === "" || away !== null) return;
    setMessage("");
    forget();
    steer.mutate(message);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Stack gap="xs">
        <Textarea
          id={guidanceId}
          label="Your guidance"
          description="The run reads it before its next step."
          autosize
          minRows={2}
          maxRows={10}
          maxLength={runLimits.message}
          dir="auto"
          value={message}
          onChange={(event) => setMessage(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (!isSendKey(event)) return;
            event.preventDefault();
            send();
          }}
        />
        <Group justify="space-between" gap="xs">
          <Text size="xs" c="dimmed" visibleFrom="sm">
            Enter sends, Shift+Enter starts a new line
          </Text>
          <ControlButton
            type="submit"
            size="sm"
            variant="default"
            leftSection={<IconSend size={16} aria-hidden />}
            says="Sends your guidance; the run reads it before its next model call"
            offBecause={away ?? (message.trim() === "" ? "Write something first" : null)}
          >
            Send
          </ControlButton>
        </Group>
      </Stack>
    </form>
  );
}

const wordsOf = (kept: unknown) => (typeof kept === "string" ? kept : "");

function withPending(run: Run, text: string): Run {
  const at = new Date().toISOString();
  const message = { id: randomKey(), kind: "steer", text, at, taken_up_in: null, prompts: null } as const;
  return { ...run, messages: [...run.messages, message], unread_messages: run.unread_messages + 1 };
}
