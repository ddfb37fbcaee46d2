// One column of the board: a heading with the number of its tasks, and their cards. Long ones are cut until asked for.

import { Anchor, Group, Text, Title } from "@mantine/core";
import { type DragEvent, type ReactNode, useId, useState } from "react";
import type { OutcomeTask } from "../../../../../src/protocol/api.ts";
import { outcomeTaskWords } from "../../../../../src/protocol/words/outcome.ts";
import type { Column } from "./board-order.ts";

/** More are shown when asked for. */
const cardsShown = 20;

type BoardColumnProps = {
  readonly column: Column;
  /** A card that is dragged may be dropped here. */
  readonly isTarget: boolean;
  readonly onDrop: () => void;
  readonly card: (task: OutcomeTask) => ReactNode;
};

export function BoardColumn({ column: { status, tasks }, isTarget, onDrop, card }: BoardColumnProps) {
  const id = useId();
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? tasks : tasks.slice(0, cardsShown);
  const allow = (event: DragEvent) => {
    if (isTarget) event.preventDefault();
  };
  return (
    <section
      aria-labelledby={id}
      className="board-column"
      data-status={status}
      data-target={isTarget || undefined}
      onDragOver={allow}
      onDrop={(event) => {
        if (!isTarget) return;
        event.preventDefault();
        onDrop();
      }}
    >
      <Group gap={6} mb={6}>
        <span className="status-mark" data-status={status} aria-hidden />
        <Title order={2} size="h6" id={id}>
          {outcomeTaskWords[status]}
        </Title>
        <Text size="sm" c="dimmed">
          {tasks.length}
        </Text>
      </Group>
      {tasks.length === 0 ? (
        <Text size="xs" c="dimmed">
          {isTarget ? "Drop here" : "None"}
        </Text>
      ) : (
        <ul className="plain-list board-cards">{shown.map(card)}</ul>
      )}
      {shown.length < tasks.length ? (
        <Anchor component="button" type="button" size="xs" mt={6} onClick={() => setWhole(true)}>
          Show all {tasks.length}
        </Anchor>
      ) : null}
    </section>
  );
}
