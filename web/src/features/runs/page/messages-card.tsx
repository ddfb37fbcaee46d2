// What people have said to the run, and whether it has been taken up; with a box to say more while it can still hear.

import { Badge, Group, Stack, Text } from "@mantine/core";
import type { Run } from "../../../../../src/protocol/api.ts";
import { Time } from "../../../ui/time.tsx";
import { SteerBox } from "../controls/steer-box.tsx";
import { useRun } from "../run-context.tsx";
import { Card } from "./card.tsx";

const ended = new Set<string>(["completed", "failed", "canceled"]);

export function MessagesCard() {
  const { run, view } = useRun();
  const isOver = ended.has(view.state.status);
  if (isOver && run.messages.length === 0) return null;
  return (
    <Card title="Messages to it">
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
        {isOver ? null : <SteerBox />}
      </Stack>
    </Card>
  );
}

type MessageProps = { readonly message: Run["messages"][number]; readonly isOver: boolean };

function Message({ message, isOver }: MessageProps) {
  return (
    <Stack gap={2}>
      <Group gap="xs" justify="space-between">
        <Text size="xs" c="dimmed">
          {message.kind === "steer" ? "You said" : "You answered"} <Time at={message.at} />
        </Text>
        <TakenUp takenUpIn={message.taken_up_in} isOver={isOver} />
      </Group>
      <Text size="sm" className="pre-wrap" dir="auto">
        {message.text}
      </Text>
    </Stack>
  );
}

function TakenUp({ takenUpIn, isOver }: { readonly takenUpIn: number | null; readonly isOver: boolean }) {
  if (takenUpIn !== null)
    return (
      <Badge tt="none" variant="light" color="green" autoContrast>
        Taken up in iteration {takenUpIn}
      </Badge>
    );
  return (
    <Badge tt="none" variant="light" color="gray">
      {isOver ? "Not taken up" : "Pending: the next iteration takes it up"}
    </Badge>
  );
}
