// The tasks of a project: what needs someone and what is at work first, what is done folded below.

import { Group, Paper, Stack, Text, Title } from "@mantine/core";
import { IconChecklist } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { AgentTask } from "../../../../../src/protocol/api.ts";
import { counted } from "../../../../../src/protocol/figures.ts";
import { agentTasksQuery } from "../../../lib/data/agents.ts";
import { EmptyNotice } from "../../../ui/empty-notice.tsx";
import { AnchorLink, ButtonLink } from "../../../ui/links.tsx";
import { LoadMore } from "../../../ui/load-more.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { Time } from "../../../ui/time.tsx";
import { HeartbeatBadge, TaskBadge } from "../badges.tsx";
import { RestartLine } from "../restart-line.tsx";
import { costWords } from "../task-words.ts";

export function TasksTab() {
  const { agentProject = "" } = useParams({ strict: false });
  const tasks = useInfiniteQuery(agentTasksQuery(agentProject));
  return (
    <Stack gap="md">
      <QueryView query={tasks}>
        {({ pages }) => {
          const all = pages.flatMap(({ items }) => items);
          return all.length === 0 ? <NoTasks project={agentProject} /> : <Groups tasks={all} />;
        }}
      </QueryView>
      <LoadMore query={tasks} />
    </Stack>
  );
}

const groups: readonly { readonly title: string; readonly has: (task: AgentTask) => boolean }[] = [
  { title: "Needs you", has: ({ status, open_questions: open }) => status === "waiting" || open > 0 },
  { title: "At work", has: ({ is_alive: isAlive }) => isAlive },
  { title: "Not done", has: ({ status }) => status !== "done" },
];

function Groups({ tasks }: { readonly tasks: readonly AgentTask[] }) {
  const groupOf = (task: AgentTask) => groups.findIndex(({ has }) => has(task));
  const done = tasks.filter((task) => groupOf(task) === -1);
  return (
    <>
      {groups.map(({ title }, index) => {
        const own = tasks.filter((task) => groupOf(task) === index);
        return own.length === 0 ? null : (
          <section key={title} aria-label={title}>
            <Title order={2} size="h4" mb="xs">
              {title}
            </Title>
            <Rows tasks={own} />
          </section>
        );
      })}
      {done.length === 0 ? null : (
        <details className="agent-fold" open={done.length === tasks.length}>
          <summary>{counted(done.length, "task")} done</summary>
          <Rows tasks={done} />
        </details>
      )}
    </>
  );
}

function Rows({ tasks }: { readonly tasks: readonly AgentTask[] }) {
  return (
    <Stack gap="sm" component="ul" className="plain-list">
      {tasks.map((task) => (
        <TaskRow key={task.task_id} task={task} />
      ))}
    </Stack>
  );
}

function TaskRow({ task }: { readonly task: AgentTask }) {
  const cost = costWords(task.cost_usd);
  const facts = [counted(task.runs, "run"), task.agents.join(", "), cost ?? ""].filter((fact) => fact !== "");
  return (
    <Paper withBorder className="row" component="li">
      <Group justify="space-between" gap="xs" align="flex-start">
        <AnchorLink
          to="/agents/projects/$agentProject/tasks/$agentTask"
          params={{ agentProject: task.project_id, agentTask: task.task_id }}
          fw={600}
          className="breakable row-text"
          dir="auto"
        >
          {task.title || task.task_id}
        </AnchorLink>
        <Group gap={6}>
          {task.active_runs > 0 ? <HeartbeatBadge at={task.last_activity} /> : null}
          <TaskBadge status={task.status} />
        </Group>
      </Group>
      {task.state === "" ? null : (
        <Text size="sm" lineClamp={2} className="breakable" dir="auto">
          {task.state}
        </Text>
      )}
      <Group gap="md" mt={4} justify="space-between">
        {task.status === "new" ? <span /> : <RestartLine task={task} />}
        <Text size="sm" c="dimmed">
          {facts.join(" · ")} · <Time at={task.last_activity ?? task.created_at} />
        </Text>
      </Group>
    </Paper>
  );
}

function NoTasks({ project }: { readonly project: string }) {
  return (
    <EmptyNotice
      icon={<IconChecklist aria-hidden />}
      title="No tasks yet"
      actions={
        <ButtonLink to="/agents/start" search={{ project }}>
          Start a task
        </ButtonLink>
      }
    >
      A task is one objective. Its agent is started again until the task is done.
    </EmptyNotice>
  );
}
