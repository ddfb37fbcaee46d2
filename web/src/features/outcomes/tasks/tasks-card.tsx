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
import type { TaskStatus } from "./task-words.ts";
import { useOutcomeFacts } from "./use-outcome-facts.ts";
import { findWaitReasons } from "./wait-reasons.ts";
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
  return (
    <ul className="plain-list" aria-label="Tasks">
      {tasks.map((task) => (
        <Group key={task.id} component="li" wrap="nowrap" justify="space-between" align="flex-start" gap="xs" mb={6}>
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
            <Text size="xs" c="dimmed" className="breakable" dir="auto">
              {findWaitReasons(task, all, facts)
                .map(({ words }) => words)
                .join(" · ")}
            </Text>
          </div>
          <TaskStatusBadge status={task.status} />
        </Group>
      ))}
    </ul>
  );
}
