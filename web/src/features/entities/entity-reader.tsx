// The thing for someone who may look but not change.

import { Stack, Text, Title } from "@mantine/core";
import type { Entity } from "../../../../src/protocol/api.ts";
import { LazyMarkdown } from "../../ui/lazy-markdown.tsx";

export function EntityReader({ entity }: { readonly entity: Entity }) {
  return (
    <Stack>
      <Title order={1} size="h2" className="breakable">
        {entity.title}
      </Title>
      {entity.description ? <Text className="pre-wrap">{entity.description}</Text> : null}
      {entity.content.trim() === "" ? (
        <Text c="dimmed">Nothing is written here yet.</Text>
      ) : (
        <LazyMarkdown text={entity.content} />
      )}
    </Stack>
  );
}
