// The runs of a task with their lineage and restarts.

import { Code, Group, Paper, Stack, Text } from "@mantine/core";
import { IconCornerDownRight, IconPlayerPlay } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { AgentRun } from "../../../../../src/protocol/api.ts";
import { counted, duration } from "../../../../../src/protocol/figures.ts";
import { agentTaskQuery } from "../../../lib/data/agents.ts";
import { EmptyNotice } from "../../../ui/empty-notice.tsx";
import { AnchorLink } from "../../../ui/links.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { Time } from "../../../ui/time.tsx";
import { HeartbeatBadge, RunBadge } from "../badges.tsx";
import { costWords } from "../task-words.ts";
import { type RunNode, toRunTree } from "./run-tree.ts";

export function RunsTab() {
  const { agentProject = "", agentTask = "" } = useParams({ strict: false });
  const task = useQuery(agentTaskQuery({ agentProject, agentTask }));
  return (
    <QueryView query={task}>
      {({ run_list: runs, runs_left_out: leftOut, homework_run: homeworkRun }) =>
        runs.length === 0 ? (
          <NoRuns agentTask={agentTask} isOfHomework={homeworkRun !== null} />
        ) : (
          <Stack gap="xs">
            {leftOut > 0 ? (
              <Text size="sm" c="dimmed">
                {counted(leftOut, "older run")} not shown.
              </Text>
            ) : null}
            <Stack gap="xs" component="ul" className="plain-list" aria-label="Runs">
              {toRunTree(runs).map((node) => (
                <RunRow key={node.run.run_id} node={node} ownTask={agentTask} />
              ))}
            </Stack>
          </Stack>
        )
      }
    </QueryView>
  );
}

function NoRuns({ agentTask, isOfHomework }: { readonly agentTask: string; readonly isOfHomework: boolean }) {
  return (
    <EmptyNotice icon={<IconPlayerPlay aria-hidden />} title="No runs yet">
      {isOfHomework ? (
        "Homework starts an agent in each iteration of its run."
      ) : (
        <>
          A run is one start of an agent. Start the task above, or with{" "}
          <Code className="breakable">run-agent task -t {agentTask}</Code>
        </>
      )}
    </EmptyNotice>
  );
}

/** Levels that are shown as such; on a phone more would leave no room. */
const depthShown = 6;

function RunRow({ node, ownTask }: { readonly node: RunNode; readonly ownTask: string }) {
  const { run, depth, attempt, attempts } = node;
  return (
    <Paper withBorder className="row run-node" component="li" data-depth={Math.min(depth, depthShown)}>
      <Group justify="space-between" gap="xs" align="flex-start">
        <Group gap={6} className="row-text" wrap="nowrap" align="flex-start">
          {depth > 0 ? <IconCornerDownRight size={16} className="unshrinkable" aria-label="Child run" /> : null}
          <AnchorLink
            to="/agents/projects/$agentProject/tasks/$agentTask/runs/$agentRun"
            params={{ agentProject: run.project_id, agentTask: run.task_id, agentRun: run.run_id }}
            fw={600}
            className="breakable"
          >
            {run.agent || "Unknown agent"}
            {attempts > 1 ? ` · attempt ${attempt} of ${attempts}` : ""}
          </AnchorLink>
        </Group>
        <Group gap={6}>
          {run.is_active ? <HeartbeatBadge at={run.last_output_at ?? run.started_at} /> : null}
          <RunBadge run={run} />
        </Group>
      </Group>
      <Text size="sm" c="dimmed" className="breakable">
        <RunFacts run={run} />
        {run.task_id === ownTask ? "" : ` · in ${run.task_id}`}
      </Text>
      {run.error === null ? null : (
        <Text size="sm" lineClamp={2} className="breakable" c="var(--mantine-color-error)">
          {run.error}
        </Text>
      )}
    </Paper>
  );
}

export function RunFacts({ run }: { readonly run: AgentRun }) {
  const facts = [run.model, lengthOf(run), costWords(run.cost_usd), run.run_id].filter((fact) => fact !== null);
  return (
    <>
      {run.started_at === null ? null : (
        <>
          Started <Time at={run.started_at} /> ·{" "}
        </>
      )}
      {facts.join(" · ")}
    </>
  );
}

function lengthOf({ started_at: start, ended_at: end }: AgentRun): string | null {
  return start === null || end === null ? null : `took ${duration(Date.parse(end) - Date.parse(start))}`;
}
