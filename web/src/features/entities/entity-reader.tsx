// The thing to read: for people who may not change it, and documents for everyone until they press Edit.

import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import type { Entity } from "../../../../src/protocol/api.ts";
import { LazyMarkdown } from "../../ui/lazy-markdown.tsx";
import "./document.css";
import { dayOf, daysUntil } from "../../lib/dates.ts";
import { StateBadge } from "../../ui/state-badge.tsx";
import { DocumentByline } from "./document-byline.tsx";
import { ContentsAbove } from "./table-of-contents.tsx";
import type { Heading } from "./use-headings.ts";

type EntityReaderProps = {
  readonly entity: Entity;
  readonly headings: readonly Heading[];
  readonly articleRef: (article: HTMLElement | null) => void;
  readonly onEdit?: () => void;
};

/** State and date, which is what one opens a goal, a task or a milestone for. */
export function Standing({ entity: { state_key: state, due_at: due } }: { readonly entity: Entity }) {
  return (
    <Group gap="xs">
      <StateBadge state={state} />
      {due === null ? null : (
        <Text size="sm">
          Due {dayOf(due)} ({daysUntil(due, Date.now())})
        </Text>
      )}
    </Group>
  );
}

/** A description is enough for a goal; a document without text is empty. */
function Unwritten({ entity: { kind, description } }: { readonly entity: Entity }) {
  if (kind !== "document" && description !== "") return null;
  return <Text c="dimmed">{unwritten[kind] ?? "Nothing is written here yet."}</Text>;
}

const unwritten: Readonly<Partial<Record<Entity["kind"], string>>> = {
  goal: "No description yet. Press Edit to say how you will know that the goal is achieved.",
  plan: "No steps yet. Press Edit to write down how it will be done.",
  milestone: "No description yet. Press Edit to say what must be true on that date.",
};

export function EntityReader({ entity, headings, articleRef, onEdit }: EntityReaderProps) {
  const isDocument = entity.kind === "document";
  return (
    <Stack className={isDocument ? "document" : ""}>
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <Title order={1} size="h2" className="breakable document-title">
          {entity.title}
        </Title>
        {onEdit ? (
          <Button
            variant="default"
            size="xs"
            className="unshrinkable"
            leftSection={<IconPencil size={16} aria-hidden />}
            onClick={onEdit}
          >
            Edit
          </Button>
        ) : null}
      </Group>
      {isDocument ? <DocumentByline entity={entity} /> : <Standing entity={entity} />}
      {entity.description ? <Text className="pre-wrap">{entity.description}</Text> : null}
      <ContentsAbove headings={headings} />
      {entity.content.trim() === "" ? (
        <Unwritten entity={entity} />
      ) : (
        <article ref={articleRef} aria-label={entity.title}>
          <LazyMarkdown text={entity.content} hasAnchors />
        </article>
      )}
    </Stack>
  );
}
