// One project of agents: its name, and tabs for its tasks, messages and facts.

import { Stack } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { Link, Outlet, useParams } from "@tanstack/react-router";
import { AnchorLink, ButtonLink } from "../../../ui/links.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { TabLinks } from "../../../ui/tab-links.tsx";
import { usePageTitle } from "../../../ui/use-page-title.ts";
import "../agents.css";

const exact = { exact: true, includeSearch: false };

export function ProjectFrame() {
  const { agentProject = "" } = useParams({ strict: false });
  usePageTitle(agentProject, "Agents");
  const params = { agentProject };
  return (
    <Stack gap={0}>
      <PageHeader
        title={agentProject}
        crumbs={[
          <AnchorLink key="all" to="/agents">
            Agents
          </AnchorLink>,
        ]}
        actions={
          <ButtonLink
            to="/agents/start"
            search={{ project: agentProject }}
            leftSection={<IconPlus size={16} aria-hidden />}
          >
            Start a task
          </ButtonLink>
        }
      />
      <TabLinks label="Project">
        <Link to="/agents/projects/$agentProject" params={params} className="tab-link" activeOptions={exact}>
          Tasks
        </Link>
        <Link to="/agents/projects/$agentProject/messages" params={params} className="tab-link">
          Messages
        </Link>
        <Link to="/agents/projects/$agentProject/facts" params={params} className="tab-link">
          Facts
        </Link>
      </TabLinks>
      <Outlet />
    </Stack>
  );
}
