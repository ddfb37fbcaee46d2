// The tab with all tasks of an outcome: as a board, or as a picture of what waits for what.

import { Button, Group, SegmentedControl, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconListCheck, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import type { OutcomeTask } from "../../../../../src/protocol/api.ts";
import { counted } from "../../../../../src/protocol/figures.ts";
import { outcomeTasksQuery } from "../../../lib/data/outcomes.ts";
import { EmptyNotice } from "../../../ui/empty-notice.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { RowsSkeleton } from "../../../ui/skeletons.tsx";
import { usePageTitle } from "../../../ui/use-page-title.ts";
import { useOutcome } from "../outcome-context.tsx";
import { TaskBoard } from "./task-board.tsx";

const TaskGraph = lazy(async () => ({ default: (await import("../graph/task-graph.tsx")).TaskGraph }));
const AddTaskModal = lazy(async () => ({ default: (await import("./add-task-modal.tsx")).AddTaskModal }));

const views = [
  { value: "board", label: "Board" },
  { value: "graph", label: "Dependencies" },
];

export function TasksTab() {
  const outcome = useOutcome();
  const tasks = useQuery(outcomeTasksQuery(outcome.id));
  const { view } = useSearch({ from: "/in/outcomes/$outcomeId" });
  const navigate = useNavigate({ from: "/outcomes/$outcomeId/tasks" });
  const [isAdding, adding] = useDisclosure(false);
  usePageTitle("Tasks", outcome.name);
  return (
    <>
      <Group justify="space-between" mb="md" gap="sm">
        <Group gap="sm">
          <SegmentedControl
            aria-label="Show tasks as"
            data={views}
            value={view ?? "board"}
            onChange={(chosen) =>
              void navigate({
                search: (old) => ({ ...old, view: chosen === "graph" ? "graph" : undefined }),
                replace: true,
              })
            }
          />
          <Text size="sm" c="dimmed">
            {tasks.data ? sumUp(tasks.data) : ""}
          </Text>
        </Group>
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={adding.open}>
          Add task
        </Button>
      </Group>
      <QueryView query={tasks}>
        {(all) =>
          all.length === 0 ? (
            <NoTasks isDrafting={outcome.is_drafting} />
          ) : view === "graph" ? (
            <Suspense fallback={<RowsSkeleton />}>
              <TaskGraph tasks={all} />
            </Suspense>
          ) : (
            <TaskBoard tasks={all} />
          )
        }
      </QueryView>
      <Suspense fallback={null}>{isAdding ? <AddTaskModal onClose={adding.close} /> : null}</Suspense>
    </>
  );
}

/** `12 of 20 tasks done`. Those that are not needed do not count. */
function sumUp(tasks: readonly OutcomeTask[]): string {
  const needed = tasks.filter(({ status }) => status !== "obsolete");
  const done = needed.filter(({ status }) => status === "completed").length;
  return `${done} of ${counted(needed.length, "task")} completed`;
}

function NoTasks({ isDrafting }: { readonly isDrafting: boolean }) {
  return (
    <EmptyNotice icon={<IconListCheck aria-hidden />} title="No tasks yet">
      {isDrafting ? "The planner is writing them." : "Add the first one."}
    </EmptyNotice>
  );
}
