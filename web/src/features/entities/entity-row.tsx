// One thing as a row of its list. A task is ticked there; rows can be chosen while the list is open for choosing.

import { Button, Checkbox, Group, Paper, Text } from "@mantine/core";
import type { EntitySummary } from "../../../../src/protocol/api.ts";
import { counted } from "../../../../src/protocol/figures.ts";
import { describeDue } from "../../lib/urgency.ts";
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
  /** How many tasks are linked with it; undefined where that is not told. */
  readonly linkedTasks?: number | undefined;
};

export function EntityRow({ entity, editable, selection, linkedTasks }: EntityRowProps) {
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
            <Text size="sm" c="dimmed" lineClamp={2} className="breakable">
              {entity.description}
            </Text>
          ) : null}
          <Text size="xs" c="dimmed">
            {describeRow(entity, linkedTasks)}
            <Time at={entity.deleted_at ?? entity.updated_at} />
          </Text>
        </div>
        <Group gap="xs" justify="flex-end" maw={{ base: 110, xs: "none" }} className="unshrinkable">
          <StateBadge state={entity.state_key} />
          {entity.deleted_at && editable ? <RestoreButton entity={entity} /> : null}
        </Group>
      </Group>
    </Paper>
  );
}

/** `Priority 1 · due Mar 1, 2026, in 3 days · changed`; how far off matters only while it is open. */
function describeRow(entity: EntitySummary, linkedTasks: number | undefined): string {
  const { priority } = entity;
  const due = describeDue(entity, Date.now());
  const words = [
    ...(priority === null ? [] : [`priority ${priority}`]),
    ...(due === null ? [] : [due]),
    ...(linkedTasks === undefined ? [] : [linkedTasks === 0 ? "no tasks linked" : counted(linkedTasks, "linked task")]),
    entity.deleted_at ? "put in the bin " : "changed ",
  ].join(" · ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function RowMark({ entity, editable, selection }: Omit<EntityRowProps, "linkedTasks">) {
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
      variant="default"
      loading={restore.isPending}
      onClick={() => restore.mutate()}
      aria-label={`Restore ${entity.title}`}
    >
      Restore
    </Button>
  );
}
