// The thing to read: for people who may not change it, and documents for everyone until they press Edit.

import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import type { Entity } from "../../../../src/protocol/api.ts";
import { LazyMarkdown } from "../../ui/lazy-markdown.tsx";
import "./document.css";
import { DocumentByline } from "./document-byline.tsx";
import { ContentsAbove } from "./table-of-contents.tsx";
import type { Heading } from "./use-headings.ts";

type EntityReaderProps = {
  readonly entity: Entity;
  readonly headings: readonly Heading[];
  readonly articleRef: (article: HTMLElement | null) => void;
  readonly onEdit?: () => void;
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
      {isDocument ? <DocumentByline entity={entity} /> : null}
      {entity.description ? <Text className="pre-wrap">{entity.description}</Text> : null}
      <ContentsAbove headings={headings} />
      {entity.content.trim() === "" ? (
        <Text c="dimmed">Nothing is written here yet.</Text>
      ) : (
        <article ref={articleRef} aria-label={entity.title}>
          <LazyMarkdown text={entity.content} hasAnchors />
        </article>
      )}
    </Stack>
  );
}
