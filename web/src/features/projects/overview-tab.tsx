// The first page of a project: what it is for, what is open, what was written last, what happened.

import { Group, Paper, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { mayEdit, useProject } from "../../lib/current-route.ts";
import { StartHomeworkButton } from "../../ui/composer/start-homework-button.tsx";
import { ButtonLink } from "../../ui/links.tsx";
import { usePageTitle } from "../../ui/use-page-title.ts";
import { LatestCard } from "./latest-card.tsx";
import { LatestChanges } from "./latest-changes.tsx";
import { NextMilestone } from "./next-milestone.tsx";

export function OverviewTab() {
  const project = useProject();
  usePageTitle(project.name);
  return (
    <Stack>
      {project.description ? <Text className="pre-wrap">{project.description}</Text> : null}
      {mayEdit(project) ? <QuickStart projectId={project.id} /> : null}
      <NextMilestone project={project} />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <LatestCard project={project} kind="task" />
        <LatestCard project={project} kind="document" />
      </SimpleGrid>
      <Paper withBorder p="md" component="section" aria-labelledby="latest-changes">
        <Title order={2} size="h4" id="latest-changes" mb="sm">
          What happened last
        </Title>
        <LatestChanges projectId={project.id} />
      </Paper>
    </Stack>
  );
}

function QuickStart({ projectId }: { readonly projectId: string }) {
  return (
    <Paper withBorder p="md">
      <Group gap="sm">
        <Text className="row-text" size="sm">
          Have something done, add a task, or write something down.
        </Text>
        <Group gap="sm">
          <StartHomeworkButton projectId={projectId} />
          <ButtonLink
            to="/projects/$projectId/$plural"
            params={{ projectId, plural: "tasks" }}
            search={{ new: true }}
            variant="default"
          >
            New task
          </ButtonLink>
          <ButtonLink
            to="/projects/$projectId/$plural"
            params={{ projectId, plural: "documents" }}
            search={{ new: true }}
            variant="default"
          >
            New document
          </ButtonLink>
        </Group>
      </Group>
    </Paper>
  );
}
