// One project of agents: its name, and tabs for its tasks, messages and facts.

import { Stack } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useParams } from "@tanstack/react-router";
import { agentProjectQuery } from "../../../lib/data/agents.ts";
import { AnchorLink, ButtonLink } from "../../../ui/links.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { TabLinks } from "../../../ui/tab-links.tsx";
import { usePageTitle } from "../../../ui/use-page-title.ts";
import { projectName } from "../task-words.ts";
import "../agents.css";

const exact = { exact: true, includeSearch: false };

export function ProjectFrame() {
  const { agentProject = "" } = useParams({ strict: false });
  const project = useQuery(agentProjectQuery(agentProject)).data;
  const name = project ? projectName(project) : agentProject;
  // Homework starts these tasks, and each of them has its own messages.
  const isOfHomework = project?.kind === "homework_runs";
  usePageTitle(name, "Agents");
  const params = { agentProject };
  return (
    <Stack gap={0}>
      <PageHeader
        title={name}
        crumbs={[
          <AnchorLink key="all" to="/agents">
            Agents
          </AnchorLink>,
        ]}
        actions={
          isOfHomework ? (
            <ButtonLink to="/homework" variant="default">
              Open runs
            </ButtonLink>
          ) : (
            <ButtonLink
              to="/agents/start"
              search={{ project: agentProject }}
              leftSection={<IconPlus size={16} aria-hidden />}
            >
              Start a task
            </ButtonLink>
          )
        }
      />
      <TabLinks label="Project">
        <Link to="/agents/projects/$agentProject" params={params} className="tab-link" activeOptions={exact}>
          Tasks
        </Link>
        {isOfHomework ? null : (
          <Link to="/agents/projects/$agentProject/messages" params={params} className="tab-link">
            Messages
          </Link>
        )}
        <Link to="/agents/projects/$agentProject/facts" params={params} className="tab-link">
          Facts
        </Link>
      </TabLinks>
      <Outlet />
    </Stack>
  );
}
