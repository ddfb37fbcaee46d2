// One document of a run, as it is now. Long ones are shown part by part (ui/markdown.tsx).

import { Group, Stack, Text, Title } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { runDocumentQuery } from "../../../lib/data/run-research.ts";
import { EntityLink } from "../../../ui/entity-link.tsx";
import { LazyMarkdown } from "../../../ui/lazy-markdown.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { Time } from "../../../ui/time.tsx";
import type { WorkspaceDocument } from "./workspace.ts";

type ResearchDocumentProps = { readonly runId: string; readonly document: WorkspaceDocument };

export function ResearchDocument({ runId, document }: ResearchDocumentProps) {
  const found = useQuery(runDocumentQuery(runId, document.project_id, document.id));
  return (
    <Stack gap="sm" component="article" aria-label={document.title}>
      <Title order={3} className="breakable" lineClamp={6}>
        <bdi>{document.title || "untitled"}</bdi>
      </Title>
      <QueryView query={found}>
        {({ content, updated_at: updatedAt }) => (
          <>
            <Group gap="md">
              <Text size="sm" c="dimmed">
                Last changed <Time at={updatedAt} />
              </Text>
              <EntityLink kind="document" projectId={document.project_id} id={document.id} size="sm">
                <Group component="span" gap={4} wrap="nowrap">
                  Open <IconExternalLink size={14} aria-hidden />
                </Group>
              </EntityLink>
            </Group>
            {content.trim() === "" ? (
              <Text c="dimmed">Nothing is written here yet.</Text>
            ) : (
              <div dir="auto">
                <LazyMarkdown text={content} />
              </div>
            )}
          </>
        )}
      </QueryView>
    </Stack>
  );
}
