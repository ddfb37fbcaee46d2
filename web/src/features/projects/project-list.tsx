// The rows of the projects page.

import { Badge, Button, Group, Paper, Stack, Text } from "@mantine/core";
import { IconFolderPlus, IconTrash } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { Project } from "../../../../src/protocol/api.ts";
import { mayManage } from "../../lib/current-route.ts";
import { projectsQuery } from "../../lib/data/projects.ts";
import { tone } from "../../lib/tones.ts";
import { EmptyNotice } from "../../ui/empty-notice.tsx";
import { EntityLink } from "../../ui/entity-link.tsx";
import { KindIcon } from "../../ui/kind-icon.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { StateBadge } from "../../ui/state-badge.tsx";
import { Time } from "../../ui/time.tsx";
import { wordsOf } from "../../ui/wording.ts";
import { useProjectBin } from "./use-project-bin.ts";

type ProjectListProps = { readonly bin: boolean; readonly onNew: () => void };

export function ProjectList({ bin, onNew }: ProjectListProps) {
  const projects = useInfiniteQuery(projectsQuery(bin));
  return (
    <QueryView query={projects}>
      {(data) => {
        const items = data.pages.flatMap((page) => page.items);
        if (items.length === 0) return bin ? <EmptyBin /> : <NoProjects onNew={onNew} />;
        return (
          <>
            {bin ? (
              <Text size="sm" c="dimmed" mb="md" maw={720}>
                These projects were put in the bin. Restore the ones you still need.
              </Text>
            ) : null}
            <Stack component="ul" gap="xs" className="plain-list">
              {items.map((project) => (
                <ProjectRow key={project.id} project={project} />
              ))}
            </Stack>
            <LoadMore query={projects} />
          </>
        );
      }}
    </QueryView>
  );
}

function ProjectRow({ project }: { readonly project: Project }) {
  return (
    <Paper component="li" withBorder className="row">
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <KindIcon kind="project" />
        <div className="grow">
          <EntityLink kind="project" projectId={project.id} id={project.id} fw={600} className="breakable">
            {project.name}
          </EntityLink>
          {project.description ? (
            <Text size="sm" c="dimmed" lineClamp={1} className="breakable">
              {project.description}
            </Text>
          ) : null}
          <Text size="xs" c="dimmed">
            {wordsOf(project.role)} · {project.deleted_at ? "put in the bin" : "changed"}{" "}
            <Time at={project.deleted_at ?? project.updated_at} />
          </Text>
        </div>
        <Group gap="xs" justify="flex-end" maw={{ base: 110, xs: "none" }} className="unshrinkable">
          {project.deleted_at ? <FormerState state={project.state_key} /> : <StateBadge state={project.state_key} />}
          {project.deleted_at && mayManage(project) ? <RestoreButton project={project} /> : null}
        </Group>
      </Group>
    </Paper>
  );
}

/** What it will be again once it is restored. */
function FormerState({ state }: { readonly state: string }) {
  return (
    <Badge variant="light" color={tone.plain} tt="none" fw={600} className="unshrinkable">
      was {wordsOf(state).toLowerCase()}
    </Badge>
  );
}

function RestoreButton({ project }: { readonly project: Project }) {
  const { restore } = useProjectBin(project.id);
  return (
    <Button
      size="xs"
      variant="default"
      loading={restore.isPending}
      onClick={() => restore.mutate()}
      aria-label={`Restore ${project.name}`}
    >
      Restore
    </Button>
  );
}

function NoProjects({ onNew }: { readonly onNew: () => void }) {
  return (
    <EmptyNotice
      icon={<IconFolderPlus aria-hidden />}
      title="Make your first project"
      actions={<Button onClick={onNew}>Create a project</Button>}
    >
      A project keeps what belongs together: tasks, documents, goals, plans and milestones. Give it a name, then add a
      task and a document. Ctrl+K finds all of it again.
    </EmptyNotice>
  );
}

function EmptyBin() {
  return (
    <EmptyNotice icon={<IconTrash aria-hidden />} title="The bin is empty">
      Projects in the bin stay here until you restore them.
    </EmptyNotice>
  );
}
