// What the outcome is for: a summary, its parts and when it counts as achieved. It can be edited while the work goes on.

import { Badge, Button, Group, Stack, Text, ThemeIcon } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconCheck, IconPencil, IconProgress } from "@tabler/icons-react";
import type { Outcome } from "../../../../../src/protocol/api.ts";
import { intentItemStatus } from "../../../../../src/protocol/intent-item-status.ts";
import { Card } from "../../../ui/card.tsx";
import { useOutcome } from "../outcome-context.tsx";
import { IntentModal } from "./intent-modal.tsx";
import { priorityColors, priorityWords } from "./priority-words.ts";

type Item = Outcome["intent"]["items"][number];

export function IntentCard() {
  const outcome = useOutcome();
  const { intent, status, is_drafting: isDrafting } = outcome;
  const [isEditing, { open, close }] = useDisclosure(false);
  const mayEdit = status !== "archived" && !isDrafting;
  return (
    <Card
      title="Intent"
      beside={
        mayEdit ? (
          <Button size="compact-sm" variant="subtle" leftSection={<IconPencil size={14} aria-hidden />} onClick={open}>
            Edit intent
          </Button>
        ) : null
      }
    >
      <Stack gap="sm">
        <Text className="pre-wrap" dir="auto">
          {intent.summary || outcome.brief || "No intent yet. HOMЯ checks results against it, so write one."}
        </Text>
        {intent.items.length === 0 ? null : (
          <ul className="plain-list outcome-lines" aria-label="Parts">
            {intent.items.map((item) => (
              <IntentItem key={item.id} item={{ ...item, status: intentItemStatus(outcome, item) }} />
            ))}
          </ul>
        )}
        {intent.success_criteria.length === 0 ? null : (
          <div>
            <Text size="sm" fw={600}>
              Success criteria
            </Text>
            <CriteriaList criteria={intent.success_criteria} />
          </div>
        )}
      </Stack>
      {isEditing ? <IntentModal onClose={close} /> : null}
    </Card>
  );
}

function IntentItem({ item }: { readonly item: Item }) {
  return (
    <li>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <ItemMark status={item.status} />
        <div className="grow">
          <Group gap="xs">
            <Text size="sm" fw={600} className="breakable" dir="auto">
              {item.title}
            </Text>
            <Badge size="sm" variant="light" tt="none" color={priorityColors[item.priority]}>
              {priorityWords[item.priority]}
            </Badge>
          </Group>
          {item.description === "" ? null : (
            <Text size="sm" className="pre-wrap" dir="auto">
              {item.description}
            </Text>
          )}
          <CriteriaList criteria={item.acceptance_criteria} />
        </div>
      </Group>
    </li>
  );
}

const marks = {
  pending: { color: "gray", label: "Not started", icon: null },
  in_progress: { color: "blue", label: "In progress", icon: <IconProgress size={12} aria-hidden /> },
  done: { color: "green", label: "Done", icon: <IconCheck size={12} aria-hidden /> },
} as const;

function ItemMark({ status }: Pick<Item, "status">) {
  const { color, label, icon } = marks[status];
  return (
    <ThemeIcon size={18} mt={2} radius="xl" variant="light" color={color} role="img" aria-label={label} title={label}>
      {icon}
    </ThemeIcon>
  );
}

function CriteriaList({ criteria }: { readonly criteria: readonly string[] }) {
  if (criteria.length === 0) return null;
  return (
    <ul className="outcome-criteria">
      {criteria.map((criterion) => (
        <li key={criterion}>
          <Text span size="sm" className="breakable" dir="auto">
            {criterion}
          </Text>
        </li>
      ))}
    </ul>
  );
}
