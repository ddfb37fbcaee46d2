// The bus of a project.

import { useParams } from "@tanstack/react-router";
import { BusView } from "../bus/bus-view.tsx";

const everyMs = 2_000;

export function ProjectMessagesTab() {
  const { agentProject = "" } = useParams({ strict: false });
  return <BusView place={{ agentProject, agentTask: null }} readEveryMs={everyMs} />;
}
