// The top of a run's pages: what was asked for, how it stands, where it came from, and what one can do.

import { Anchor, Box, Group, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { AnchorLink } from "../../../ui/links.tsx";
import { Crumbs } from "../../../ui/page-header.tsx";
import { RunStatusBadge } from "../../../ui/run-status-badge.tsx";
import { usePageTitle } from "../../../ui/use-page-title.ts";
import { RunControls } from "../controls/run-controls.tsx";
import { type RunOnPage, useRun } from "../run-context.tsx";
import { LiveStatus } from "./live-status.tsx";
import { RunFacts } from "./run-facts.tsx";
import { RunTitle } from "./run-title.tsx";

export function RunHeader() {
  const { run, view, outcomeTask } = useRun();
  const { title } = run;
  const objective = run.objective.trim();
  const [isWhole, { toggle }] = useDisclosure(false);
  const { state } = view;
  usePageTitle(title);
  return (
    <>
      <div className="run-crumbs">
        <Crumbs crumbs={crumbsOf(title, outcomeTask)} />
      </div>
      <Box className="run-header">
        <Group justify="space-between" align="flex-start" gap="sm">
          <Box className="row-text">
            <RunTitle />
            <Group gap="xs" mt={4}>
              <RunStatusBadge
                status={state.status}
                isPaused={state.status === "stopped" && state.reason === "paused"}
                isUndone={run.is_undone}
              />
              <LiveStatus status={state.status} />
              <RunFacts />
              {title === objective ? null : (
                <Anchor component="button" type="button" size="sm" onClick={toggle} aria-expanded={isWhole}>
                  {isWhole ? "Hide objective" : "Show objective"}
                </Anchor>
              )}
            </Group>
          </Box>
          <RunControls />
        </Group>
      </Box>
      {isWhole && title !== objective ? (
        <Box className="run-objective pre-wrap" mb="md" dir="auto" tabIndex={0} role="region" aria-label="Objective">
          {objective}
        </Box>
      ) : null}
    </>
  );
}

/** A run on a task of an outcome is a part of that outcome. */
const crumbsOf = (title: string, task: RunOnPage["outcomeTask"]) => [
  ...(task === null ? [<HomeworkCrumb key="homework" />] : outcomeCrumbs(task)),
  <Text key="here" span aria-current="page" truncate maw={420} dir="auto">
    {title}
  </Text>,
];

const HomeworkCrumb = () => <AnchorLink to="/homework">Homework</AnchorLink>;

const outcomeCrumbs = (task: NonNullable<RunOnPage["outcomeTask"]>) => {
  const params = { outcomeId: task.outcome_id };
  return [
    <AnchorLink key="outcomes" to="/outcomes">
      Outcomes
    </AnchorLink>,
    <AnchorLink key="outcome" to="/outcomes/$outcomeId" params={params} dir="auto">
      {task.outcome_name}
    </AnchorLink>,
    <AnchorLink key="task" to="/outcomes/$outcomeId" params={params} search={{ task: task.task_id }} dir="auto">
      Task #{task.number} {task.title}
    </AnchorLink>,
  ];
};
