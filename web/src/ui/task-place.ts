// Where the page of an agent's task is, for links to it.

import type { AgentTask } from "../../../src/protocol/api.ts";

export const taskPlace = ({
  project_id: agentProject,
  task_id: agentTask,
}: Pick<AgentTask, "project_id" | "task_id">) =>
  ({ to: "/agents/projects/$agentProject/tasks/$agentTask", params: { agentProject, agentTask } }) as const;
