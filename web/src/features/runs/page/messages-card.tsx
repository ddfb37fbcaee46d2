// What people have said to the run, and in which prompts it stood; with a box to say more while the run can still hear.

import { Badge, Group, Stack, Text } from "@mantine/core";
import type { Run } from "../../../../../src/protocol/api.ts";
import { receiptWords } from "../../../../../src/protocol/words/receipt.ts";
import { Card } from "../../../ui/card.tsx";
import { Time } from "../../../ui/time.tsx";
import { SteerBox } from "../controls/steer-box.tsx";
import { useRun } from "../run-context.tsx";

const ended = new Set<string>(["completed", "failed", "canceled"]);

export function MessagesCard() {
  const { run, view } = useRun();
  const isOver = ended.has(view.state.status);
  const isWaiting = view.state.status === "waiting_on_user";
  if (isOver && run.messages.length === 0) return null;
  return (
    <Card title="Guidance">
      <Stack gap="sm">
        {run.messages.length > 0 ? (
          <ul className="plain-list" aria-label="Messages">
            {run.messages.map((message) => (
              <li key={message.id} className="run-row">
                <Message message={message} isOver={isOver} />
              </li>
            ))}
          </ul>
        ) : null}
        {isOver ? null : isWaiting ? <FoldedBox /> : <SteerBox />}
      </Stack>
    </Card>
  );
}

/** While the run waits for an answer, that is the box to write into. */
const FoldedBox = () => (
  <details className="fold">
    <Text component="summary" size="sm">
      Say something else to the run
    </Text>
    <SteerBox />
  </details>
);

type MessageProps = { readonly message: Run["messages"][number]; readonly isOver: boolean };

function Message({ message, isOver }: MessageProps) {
  return (
    <Stack gap={2}>
      <Group gap="xs" justify="space-between">
        <Text size="xs" c="dimmed">
          {message.kind === "steer" ? "You said" : "You answered"} <Time at={message.at} />
        </Text>
        <Badge tt="none" variant="light" color={message.taken_up_in === null ? "gray" : "green"} autoContrast>
          {receiptWords(message, isOver)}
        </Badge>
      </Group>
      <Text size="sm" className="pre-wrap" dir="auto">
        {message.text}
      </Text>
    </Stack>
  );
}
