// One task: how it stands, whether it will restart, what it asks, and tabs for its runs, messages and files. It stays live by a stream.

import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { IconAlertTriangle, IconPlayerPlay } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, Outlet, useParams } from "@tanstack/react-router";
import { type AgentTaskDetail, routes } from "../../../../../src/protocol/api.ts";
import { agentTaskKey, agentTaskQuery, busKey, type TaskPlace } from "../../../lib/data/agents.ts";
import { useTaskStream } from "../../../lib/live/use-task-stream.ts";
import { useCreate } from "../../../lib/use-create.ts";
import { AnchorLink, ButtonLink } from "../../../ui/links.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { PageSkeleton } from "../../../ui/skeletons.tsx";
import { TabLinks } from "../../../ui/tab-links.tsx";
import { showDone } from "../../../ui/toast.ts";
import { usePageTitle } from "../../../ui/use-page-title.ts";
import { HeartbeatBadge, TaskBadge } from "../badges.tsx";
import { RestartLine } from "../restart-line.tsx";
import { costWords } from "../task-words.ts";
import { QuestionCard } from "./question-card.tsx";
import { StopTaskButton } from "./stop-buttons.tsx";
import "../agents.css";
import { tone } from "../../../lib/tones.ts";

export function TaskFrame() {
  const { agentProject = "", agentTask = "", agentRun } = useParams({ strict: false });
  const place = { agentProject, agentTask };
  const task = useQuery(agentTaskQuery(place));
  const queryClient = useQueryClient();
  usePageTitle(task.data?.title || agentTask, agentProject);
  // A run's page follows its log, and with it the task: one connection is enough.
  useTaskStream(place, null, agentRun === undefined, {
    onChange: () => void queryClient.invalidateQueries({ queryKey: agentTaskKey(place) }),
    onMessage: () => void queryClient.invalidateQueries({ queryKey: busKey(place) }),
  });
  return (
    <QueryView query={task} skeleton={<PageSkeleton />}>
      {(shown) => (
        <Stack gap={0}>
          <TaskHeader place={place} task={shown} />
          <TaskTabs place={place} questions={shown.questions.length} />
          <Outlet />
        </Stack>
      )}
    </QueryView>
  );
}

function TaskHeader({ place, task }: TaskProps) {
  const cost = costWords(task.cost_usd);
  const isActive = task.active_runs > 0;
  return (
    <>
      <PageHeader
        title={task.title || task.task_id}
        crumbs={[
          <AnchorLink key="all" to="/agents">
            Agents
          </AnchorLink>,
          <AnchorLink key="project" to="/agents/projects/$agentProject" params={{ agentProject: place.agentProject }}>
            {task.homework_run ? "Homework runs" : place.agentProject}
          </AnchorLink>,
        ]}
        actions={<Actions place={place} task={task} />}
      />
      <Stack gap="xs" mb="md">
        <Group gap="xs">
          <TaskBadge status={task.status} />
          {isActive ? <HeartbeatBadge at={task.last_activity} /> : null}
          <Text size="sm" className="breakable">
            {task.stop_requested && isActive ? "Stopping…" : task.why}
            {cost === null ? "" : ` Cost so far: ${cost}.`}
          </Text>
        </Group>
        {task.homework_run?.role === "review" ? <RunLine run={task.homework_run} /> : null}
        <RestartLine task={task} withReason />
        {task.state === "" ? null : (
          <Text size="sm" className="pre-wrap task-state" dir="auto">
            {task.state}
          </Text>
        )}
        {task.problems.length === 0 ? null : (
          <Alert color={tone.failure} icon={<IconAlertTriangle aria-hidden />} title="Some files could not be read">
            {task.problems.map((problem) => (
              <Text key={problem} size="sm" className="breakable">
                {problem}
              </Text>
            ))}
          </Alert>
        )}
        {task.questions.map((question) => (
          <QuestionCard key={question.msg_id} place={place} question={question} />
        ))}
      </Stack>
    </>
  );
}

type TaskProps = { readonly place: TaskPlace; readonly task: AgentTaskDetail };

/** What only Homework does to the task of a run is done on the run's page. */
function Actions({ place, task }: TaskProps) {
  const run = task.homework_run;
  const isActive = task.active_runs > 0;
  if (run !== null)
    return (
      <Group gap="xs">
        {isActive ? <StopTaskButton place={place} task={task} /> : null}
        <ButtonLink to="/homework/runs/$runId" params={{ runId: run.run_id }} variant="default">
          Open run
        </ButtonLink>
      </Group>
    );
  return isActive || task.is_alive ? (
    <StopTaskButton place={place} task={task} />
  ) : (
    <StartAgain place={place} task={task} />
  );
}

function RunLine({ run }: { readonly run: NonNullable<AgentTaskDetail["homework_run"]> }) {
  return (
    <Text size="sm" className="breakable">
      Review of the Homework run{" "}
      <AnchorLink to="/homework/runs/$runId" params={{ runId: run.run_id }} dir="auto">
        {run.objective}
      </AnchorLink>
    </Text>
  );
}

function StartAgain({ place, task }: TaskProps) {
  const queryClient = useQueryClient();
  const start = useCreate(routes.agents.start, {
    onSuccess: () => {
      showDone("Task started.");
      void queryClient.invalidateQueries({ queryKey: agentTaskKey(place) });
    },
  });
  return (
    <Button
      variant={task.status === "done" ? "default" : "filled"}
      leftSection={<IconPlayerPlay size={16} aria-hidden />}
      loading={start.isPending}
      onClick={() =>
        start.mutate({
          params: { agentProject: place.agentProject },
          body: { attach_mode: "restart", task_id: place.agentTask },
        })
      }
    >
      {task.runs === 0 ? "Start task" : "Start again"}
    </Button>
  );
}

const exact = { exact: true, includeSearch: false };

function TaskTabs({ place, questions }: { readonly place: TaskPlace; readonly questions: number }) {
  const params = { ...place };
  const { agentRun } = useParams({ strict: false });
  const base = "/agents/projects/$agentProject/tasks/$agentTask";
  return (
    <TabLinks label="Task">
      <Link
        to={base}
        params={params}
        className="tab-link"
        activeOptions={exact}
        {...(agentRun === undefined ? {} : { "aria-current": "page" })}
      >
        Runs
      </Link>
      <Link to={`${base}/messages`} params={params} className="tab-link">
        Messages{questions > 0 ? ` (${questions} open)` : ""}
      </Link>
      <Link to={`${base}/details`} params={params} className="tab-link">
        Task and files
      </Link>
    </TabLinks>
  );
}
