// The projects whose tasks agents work on, the latest activity first.

import { Badge, Code, Group, Paper, Stack, Text } from "@mantine/core";
import { IconPlus, IconRobot } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { AgentProject } from "../../../../src/protocol/api.ts";
import { counted } from "../../../../src/protocol/figures.ts";
import { agentTaskWords } from "../../../../src/protocol/words/agent-task.ts";
import { agentProjectsQuery, agentsInfoQuery } from "../../lib/data/agents.ts";
import { EmptyNotice } from "../../ui/empty-notice.tsx";
import { AnchorLink, ButtonLink } from "../../ui/links.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Time } from "../../ui/time.tsx";
import { usePageTitle } from "../../ui/use-page-title.ts";
import { projectName, type TaskStatus, taskStatusColors } from "./task-words.ts";
import "./agents.css";

export function AgentsPage() {
  usePageTitle("Agents");
  const projects = useQuery(agentProjectsQuery);
  const info = useQuery(agentsInfoQuery).data;
  return (
    <Stack gap="md">
      <PageHeader title="Agents" actions={info?.why_not_start === null ? <StartLink /> : null} />
      {info ? <Found agents={info.agents.map(({ name }) => name)} root={info.root} /> : null}
      <QueryView query={projects}>
        {({ items }) => (items.length === 0 ? <NoProjects /> : <ProjectRows projects={items} />)}
      </QueryView>
    </Stack>
  );
}

function StartLink() {
  return (
    <ButtonLink to="/agents/start" leftSection={<IconPlus size={16} aria-hidden />}>
      Start a task
    </ButtonLink>
  );
}

function Found({ agents, root }: { readonly agents: readonly string[]; readonly root: string }) {
  return (
    <Text size="sm" c="dimmed" className="breakable">
      {agents.length === 0 ? "No agent program was found on this machine. " : `Agents here: ${agents.join(", ")}. `}
      {root === "" ? null : (
        <>
          Folder: <Code>{root}</Code>
        </>
      )}
    </Text>
  );
}

function ProjectRows({ projects }: { readonly projects: readonly AgentProject[] }) {
  return (
    <Stack gap="sm" component="ul" className="plain-list">
      {projects.map((project) => (
        <Paper key={project.project_id} withBorder className="row" component="li">
          <Group justify="space-between" gap="xs">
            <AnchorLink
              to="/agents/projects/$agentProject"
              params={{ agentProject: project.project_id }}
              fw={600}
              className="breakable"
            >
              {projectName(project)}
            </AnchorLink>
            <Text size="sm" c="dimmed">
              {project.last_activity === null ? "No activity yet" : <Time at={project.last_activity} />}
            </Text>
          </Group>
          <Group gap="xs" mt={4}>
            <Text size="sm">{counted(project.tasks, "task")}</Text>
            <Counts counts={project.by_status} />
          </Group>
        </Paper>
      ))}
    </Stack>
  );
}

/** What needs someone first. */
const order: readonly TaskStatus[] = [
  "waiting",
  "failed",
  "running",
  "starting",
  "finishing",
  "held",
  "ended",
  "blocked",
  "stopped",
  "canceled",
  "new",
  "done",
];

function Counts({ counts }: { readonly counts: AgentProject["by_status"] }) {
  return order.flatMap((status) => {
    const count = counts[status] ?? 0;
    if (count === 0) return [];
    return [
      <Badge
        key={status}
        color={taskStatusColors[status]}
        variant={status === "waiting" ? "filled" : "light"}
        tt="none"
        fw={600}
      >
        {count} {agentTaskWords[status].toLowerCase()}
      </Badge>,
    ];
  });
}

function NoProjects() {
  return (
    <EmptyNotice icon={<IconRobot aria-hidden />} title="No projects yet" actions={<StartLink />}>
      Start a task here, or in a terminal: <Code>run-agent task -p my-project “What to do”</Code>
    </EmptyNotice>
  );
}
