// One thing as a row of its list. A task is ticked there; rows can be chosen while the list is open for choosing.

import { Button, Checkbox, Group, Paper, Text } from "@mantine/core";
import type { EntitySummary } from "../../../../src/protocol/api.ts";
import { dayOf } from "../../lib/dates.ts";
import { EntityLink } from "../../ui/entity-link.tsx";
import { KindIcon } from "../../ui/kind-icon.tsx";
import { StateBadge } from "../../ui/state-badge.tsx";
import { TaskTick } from "../../ui/task-tick.tsx";
import { Time } from "../../ui/time.tsx";
import { useEntityBin } from "./use-entity-bin.ts";
import type { Selection } from "./use-selection.ts";

type EntityRowProps = {
  readonly entity: EntitySummary;
  readonly editable: boolean;
  readonly selection: Selection;
};

export function EntityRow({ entity, editable, selection }: EntityRowProps) {
  const isDone = entity.kind === "task" && entity.state_key === "done";
  return (
    <Paper component="li" withBorder className="row">
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <RowMark entity={entity} editable={editable} selection={selection} />
        <div className="grow">
          <EntityLink
            kind={entity.kind}
            projectId={entity.project_id}
            id={entity.id}
            fw={600}
            className="breakable"
            {...(isDone ? { td: "line-through" } : {})}
          >
            {entity.title}
          </EntityLink>
          {entity.description ? (
            <Text size="sm" c="dimmed" lineClamp={1} className="breakable">
              {entity.description}
            </Text>
          ) : null}
          <Text size="xs" c="dimmed">
            {entity.priority === null ? "" : `Priority ${entity.priority} · `}
            {entity.due_at === null ? "" : `due ${dayOf(entity.due_at)} · `}
            changed <Time at={entity.updated_at} />
          </Text>
          {entity.deleted_at && editable ? <RestoreButton entity={entity} /> : null}
        </div>
        <StateBadge state={entity.state_key} />
      </Group>
    </Paper>
  );
}

function RowMark({ entity, editable, selection }: EntityRowProps) {
  if (selection.isOpen)
    return (
      <Checkbox
        className="unshrinkable"
        aria-label={`Select ${entity.title}`}
        checked={selection.has(entity.id)}
        onChange={() => selection.toggle(entity.id)}
      />
    );
  const isTickable = editable && entity.kind === "task" && entity.deleted_at === null;
  return isTickable ? <TaskTick task={entity} /> : <KindIcon kind={entity.kind} />;
}

function RestoreButton({ entity }: { readonly entity: EntitySummary }) {
  const { restore } = useEntityBin(entity);
  return (
    <Button
      size="xs"
      mt="xs"
      variant="default"
      loading={restore.isPending}
      onClick={() => restore.mutate()}
      aria-label={`Restore ${entity.title}`}
    >
      Restore
    </Button>
  );
}
