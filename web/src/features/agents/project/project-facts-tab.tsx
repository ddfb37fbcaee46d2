// What agents found out about a project.

import { useParams } from "@tanstack/react-router";
import { FactList } from "../fact-list.tsx";

export function ProjectFactsTab() {
  const { agentProject = "" } = useParams({ strict: false });
  return <FactList place={{ agentProject, agentTask: null }} />;
}
