// The tasks on the overview, one line each, those that matter now first. Each line opens its task.

import { Anchor, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { OutcomeTask } from "../../../../../src/protocol/api.ts";
import { outcomeTasksQuery } from "../../../lib/data/outcomes.ts";
import { Card } from "../../../ui/card.tsx";
import { AnchorLink } from "../../../ui/links.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { useOutcome } from "../outcome-context.tsx";
import { TaskStatusBadge } from "./task-status-badge.tsx";
import { TaskStep } from "./task-step.tsx";
import { failureWords, type TaskStatus } from "./task-words.ts";
import { useOutcomeFacts } from "./use-outcome-facts.ts";
import { type TaskDialogs, useTaskDialogs } from "./use-task-dialogs.tsx";
import { findWaitReasons, isGateDue, type OutcomeFacts } from "./wait-reasons.ts";
import "./tasks.css";

/** More are shown when asked for. */
const tasksShown = 12;
const order: readonly TaskStatus[] = ["paused", "running", "failed", "pending", "completed", "obsolete"];

export function TasksCard() {
  const { id } = useOutcome();
  const tasks = useQuery(outcomeTasksQuery(id));
  const [isWhole, setWhole] = useState(false);
  return (
    <Card
      title="Tasks"
      beside={
        <AnchorLink size="sm" underline="always" to="/outcomes/$outcomeId/tasks" params={{ outcomeId: id }}>
          Open board
        </AnchorLink>
      }
    >
      <QueryView query={tasks}>
        {(all) => {
          const sorted = all.toSorted(
            (a, b) =>
              order.indexOf(a.status) - order.indexOf(b.status) || a.priority - b.priority || a.number - b.number,
          );
          const shown = isWhole ? sorted : sorted.slice(0, tasksShown);
          return (
            <>
              {all.length === 0 ? <Text size="sm">No tasks yet.</Text> : <TaskLines tasks={shown} all={all} />}
              {shown.length < all.length ? (
                <Anchor component="button" type="button" size="sm" mt="xs" onClick={() => setWhole(true)}>
                  Show all {all.length} tasks
                </Anchor>
              ) : null}
            </>
          );
        }}
      </QueryView>
    </Card>
  );
}

type TaskLinesProps = { readonly tasks: readonly OutcomeTask[]; readonly all: readonly OutcomeTask[] };

function TaskLines({ tasks, all }: TaskLinesProps) {
  const facts = useOutcomeFacts();
  const [dialogs, dialog] = useTaskDialogs();
  return (
    <>
      <ul className="plain-list outcome-lines" aria-label="Tasks">
        {tasks.map((task) => (
          <TaskLine key={task.id} task={task} all={all} facts={facts} dialogs={dialogs} />
        ))}
      </ul>
      {dialog}
    </>
  );
}

type TaskLineProps = {
  readonly task: OutcomeTask;
  readonly all: readonly OutcomeTask[];
  readonly facts: OutcomeFacts;
  readonly dialogs: TaskDialogs;
};

function TaskLine({ task, all, facts, dialogs }: TaskLineProps) {
  const reasons = findWaitReasons(task, all, facts).map(({ words }) => words);
  const why = task.status === "failed" && task.failure !== null ? [failureWords(task.failure)] : reasons;
  return (
    <Group component="li" wrap="nowrap" justify="space-between" align="flex-start" gap="xs">
      <div className="grow">
        <AnchorLink
          to="."
          search={(old) => ({ ...old, task: task.id })}
          resetScroll={false}
          size="sm"
          className="breakable"
          dir="auto"
        >
          #{task.number} {task.title}
        </AnchorLink>
        <Text size="xs" c="dimmed" lineClamp={3} className="breakable" dir="auto">
          {why.join(" · ")}
        </Text>
      </div>
      <div className="task-line-end">
        <TaskStatusBadge status={task.status} />
        <TaskStep task={task} dialogs={dialogs} isGateDue={isGateDue(task, all, facts)} withLooks />
      </div>
    </Group>
  );
}
