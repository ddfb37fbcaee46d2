// The rows of the projects page.

import { Button, Group, Paper, Stack, Text } from "@mantine/core";
import { IconFolderPlus, IconTrash } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { Project } from "../../../../src/protocol/api.ts";
import { mayManage } from "../../lib/current-route.ts";
import { projectsQuery } from "../../lib/data/projects.ts";
import { EmptyNotice } from "../../ui/empty-notice.tsx";
import { EntityLink } from "../../ui/entity-link.tsx";
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
      <Group justify="space-between" gap="sm">
        <div className="row-text">
          <EntityLink kind="project" projectId={project.id} id={project.id} fw={600} className="breakable">
            {project.name}
          </EntityLink>
          {project.description ? (
            <Text size="sm" c="dimmed" lineClamp={1} className="breakable">
              {project.description}
            </Text>
          ) : null}
          <Text size="xs" c="dimmed">
            {wordsOf(project.role)} · changed <Time at={project.updated_at} />
          </Text>
        </div>
        {project.deleted_at && mayManage(project) ? <RestoreButton project={project} /> : null}
        <StateBadge state={project.state_key} />
      </Group>
    </Paper>
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
