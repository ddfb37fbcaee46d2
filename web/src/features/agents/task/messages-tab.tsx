// The bus of a task.

import { useParams } from "@tanstack/react-router";
import { BusView } from "../bus/bus-view.tsx";

export function MessagesTab() {
  const { agentProject = "", agentTask = "" } = useParams({ strict: false });
  return <BusView place={{ agentProject, agentTask }} />;
}
