// The top of a run's pages: what was asked for, how it stands, where it came from, and what one can do.

import { Anchor, Box, Group, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { AnchorLink } from "../../../ui/links.tsx";
import { Crumbs } from "../../../ui/page-header.tsx";
import { RunStatusBadge } from "../../../ui/run-status-badge.tsx";
import { Time } from "../../../ui/time.tsx";
import { usePageTitle } from "../../../ui/use-page-title.ts";
import { RunControls } from "../controls/run-controls.tsx";
import { useRun } from "../run-context.tsx";
import { LiveStatus } from "./live-status.tsx";
import { objectiveParts } from "./objective-parts.ts";

export function RunHeader() {
  const { run, view } = useRun();
  const { heading, whole } = objectiveParts(run.objective);
  const [isWhole, { toggle }] = useDisclosure(false);
  usePageTitle(heading);
  return (
    <Box mb="md">
      <Crumbs crumbs={crumbsOf(heading)} />
      <Group justify="space-between" align="flex-start" gap="sm">
        <Box className="row-text">
          <Title order={1} className="breakable run-heading" dir="auto">
            {heading}
          </Title>
          <Group gap="sm" mt={6}>
            <RunStatusBadge status={view.state.status} />
            <LiveStatus status={view.state.status} />
            <RunFacts />
            {whole === null ? null : (
              <Anchor component="button" type="button" size="sm" onClick={toggle} aria-expanded={isWhole}>
                {isWhole ? "Hide the whole objective" : "Show the whole objective"}
              </Anchor>
            )}
          </Group>
        </Box>
        <RunControls />
      </Group>
      {isWhole && whole !== null ? (
        <Box className="run-objective pre-wrap" mt="sm" dir="auto" tabIndex={0} role="region" aria-label="Objective">
          {whole}
        </Box>
      ) : null}
    </Box>
  );
}

const crumbsOf = (heading: string) => [
  <AnchorLink key="homework" to="/homework">
    Homework
  </AnchorLink>,
  <Text key="here" span aria-current="page" truncate maw={420} dir="auto">
    {heading}
  </Text>,
];

function RunFacts() {
  const { run } = useRun();
  return (
    <Text size="sm" c="dimmed">
      {run.started_at ? (
        <>
          Started <Time at={run.started_at} />
        </>
      ) : (
        <>
          Created <Time at={run.created_at} />
        </>
      )}
      {run.completed_at ? (
        <>
          {" · "}Ended <Time at={run.completed_at} />
        </>
      ) : null}
      {run.forked_from ? (
        <>
          , forked from iteration {run.forked_from.iteration} of{" "}
          <AnchorLink size="sm" to="/homework/runs/$runId" params={{ runId: run.forked_from.run_id }}>
            another run
          </AnchorLink>
        </>
      ) : null}
    </Text>
  );
}
