// The top of a project's own pages: its name, what one can do with it, and its tabs.

import { Alert, Button, Group, Text } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { Link, Outlet } from "@tanstack/react-router";
import type { Project } from "../../../../src/protocol/api.ts";
import { mayManage, useProject } from "../../lib/current-route.ts";
import { tone } from "../../lib/tones.ts";
import { AnchorLink } from "../../ui/links.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { StateBadge } from "../../ui/state-badge.tsx";
import { TabLinks } from "../../ui/tab-links.tsx";
import { ProjectActions } from "./project-actions.tsx";
import { useProjectBin } from "./use-project-bin.ts";

const kindTabs = ["tasks", "documents", "goals", "plans", "milestones"] as const;

export function ProjectFrame() {
  const project = useProject();
  return (
    <>
      <PageHeader
        crumbs={[
          <AnchorLink key="projects" to="/projects">
            Projects
          </AnchorLink>,
          <Text key="here" span aria-current="page">
            {project.name}
          </Text>,
        ]}
        title={project.name}
        beside={<StateBadge state={project.state_key} />}
        actions={<ProjectActions project={project} />}
      />
      {project.deleted_at ? <InBin project={project} /> : null}
      <ProjectTabs projectId={project.id} />
      <Outlet />
    </>
  );
}

function ProjectTabs({ projectId }: { readonly projectId: string }) {
  const common = { className: "tab-link", params: { projectId }, activeOptions: { includeSearch: false } } as const;
  return (
    <TabLinks label="Project">
      <Link {...common} to="/projects/$projectId" activeOptions={{ exact: true }}>
        Overview
      </Link>
      <Link {...common} to="/projects/$projectId/homework">
        Homework
      </Link>
      {kindTabs.map((plural) => (
        <Link key={plural} {...common} to="/projects/$projectId/$plural" params={{ projectId, plural }}>
          {plural.charAt(0).toUpperCase() + plural.slice(1)}
        </Link>
      ))}
      <Link {...common} to="/projects/$projectId/members">
        Members
      </Link>
      <Link {...common} to="/projects/$projectId/history">
        History
      </Link>
    </TabLinks>
  );
}

function InBin({ project }: { readonly project: Project }) {
  const { restore } = useProjectBin(project.id);
  return (
    <Alert color={tone.plain} mb="md" title="This project is in the bin" icon={<IconTrash aria-hidden />}>
      <Group justify="space-between">
        <Text size="sm">It can be looked at but not changed.</Text>
        {mayManage(project) ? (
          <Button size="xs" variant="default" loading={restore.isPending} onClick={() => restore.mutate()}>
            Restore the project
          </Button>
        ) : null}
      </Group>
    </Alert>
  );
}
