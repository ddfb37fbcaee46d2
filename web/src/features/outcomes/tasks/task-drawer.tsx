// One task beside the page: what it is, why it waits, what can be done to it, its attempts and what HOMЯ saw in them.

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { OutcomeTask, OutcomeTaskDetail } from "../../../../../src/protocol/api.ts";
import { outcomeTaskQuery, outcomeTasksQuery } from "../../../lib/data/outcomes.ts";
import { QueryView } from "../../../ui/query-view.tsx";
import { SidePanel } from "../../../ui/side-panel.tsx";
import { useOutcome } from "../outcome-context.tsx";
import { TaskView } from "./task-view.tsx";
import "./tasks.css";

type TaskDrawerProps = { readonly taskId: string; readonly onClose: () => void };

/** One array for all renders, so that nothing is drawn again for it. */
const noTasks: readonly OutcomeTask[] = [];

export function TaskDrawer({ taskId, onClose }: TaskDrawerProps) {
  const { id } = useOutcome();
  const task = useQuery(outcomeTaskQuery(id, taskId));
  const tasks = useQuery(outcomeTasksQuery(id)).data ?? noTasks;
  return (
    <SidePanel title={titleOf(task.data)} size="lg" onClose={onClose}>
      <QueryView query={task}>{(found) => <TaskView task={found} tasks={tasks} />}</QueryView>
    </SidePanel>
  );
}

const titleOf = (task: OutcomeTaskDetail | undefined): ReactNode => (task ? `Task #${task.number}` : "Task");
