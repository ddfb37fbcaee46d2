// Stopping a task, or one run of it. Each says first what will happen after.

import { Button, Text } from "@mantine/core";
import { modals } from "@mantine/modals";
import { IconPlayerStop } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type AgentRun, type AgentTaskDetail, routes } from "../../../../../src/protocol/api.ts";
import { counted } from "../../../../../src/protocol/figures.ts";
import { api } from "../../../lib/api.ts";
import { agentTaskKey, agentTaskQuery, type TaskPlace } from "../../../lib/data/agents.ts";
import { tone } from "../../../lib/tones.ts";
import { showDone } from "../../../ui/toast.ts";

const stopIcon = <IconPlayerStop size={16} aria-hidden />;

function ask(title: string, text: string, confirm: string, onConfirm: () => void): void {
  modals.openConfirmModal({
    title,
    children: <Text size="sm">{text}</Text>,
    labels: { confirm, cancel: "Keep running" },
    confirmProps: { color: tone.strong },
    onConfirm,
  });
}

export function StopTaskButton({ place, task }: { readonly place: TaskPlace; readonly task: AgentTaskDetail }) {
  const queryClient = useQueryClient();
  const stop = useMutation({
    mutationFn: () => api(routes.agents.stopTask, { params: place, body: {} }),
    onSuccess: () => {
      showDone("Stop requested.");
      void queryClient.invalidateQueries({ queryKey: agentTaskKey(place) });
    },
  });
  const isStopping = task.stop_requested !== null;
  const label = task.homework_run === null ? "Stop task" : "Stop agent";
  const after =
    task.homework_run === null
      ? "The task is not started again until you start it."
      : "The Homework run then asks you whether to go on.";
  const text = `${task.active_runs === 0 ? "No run is active." : `${counted(task.active_runs, "run")} will be ended.`} ${after}`;
  return (
    <Button
      variant="default"
      leftSection={stopIcon}
      loading={stop.isPending}
      disabled={isStopping}
      onClick={() =>
        ask(task.homework_run === null ? "Stop this task?" : "Stop the agent?", text, label, () => stop.mutate())
      }
    >
      {isStopping ? "Stopping…" : label}
    </Button>
  );
}

export function StopRunButton({ place, run }: { readonly place: TaskPlace; readonly run: AgentRun }) {
  const queryClient = useQueryClient();
  const stop = useMutation({
    mutationFn: () =>
      api(routes.agents.stopRun, { params: { ...place, agentTask: run.task_id, agentRun: run.run_id }, body: {} }),
    onSuccess: () => {
      showDone("Stop requested.");
      void queryClient.invalidateQueries({ queryKey: agentTaskKey(place) });
    },
  });
  const ofHomework = useQuery(agentTaskQuery(place)).data?.homework_run ?? null;
  const text =
    ofHomework === null
      ? "This run is ended with all that it has started. Its task may start another."
      : "The agent is ended. The Homework run then asks you whether to go on.";
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={stopIcon}
      loading={stop.isPending}
      onClick={() => ask("Stop this run?", text, "Stop run", () => stop.mutate())}
    >
      Stop run
    </Button>
  );
}
