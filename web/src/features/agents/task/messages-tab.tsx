// The bus of a task.

import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { agentTaskQuery } from "../../../lib/data/agents.ts";
import { BusView } from "../bus/bus-view.tsx";

export function MessagesTab() {
  const { agentProject = "", agentTask = "" } = useParams({ strict: false });
  const run = useQuery(agentTaskQuery({ agentProject, agentTask })).data?.homework_run ?? null;
  return (
    <BusView
      place={{ agentProject, agentTask }}
      isReadOnly={run?.role === "review"}
      hint={run === null ? null : "The Homework run gets this as guidance, too."}
    />
  );
}
