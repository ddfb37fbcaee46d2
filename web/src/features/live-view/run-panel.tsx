// What one run is doing right now: where it stands, what it did last, who explores what, what it noted, what it has used.

import { Alert, Group, Progress, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { IconMessageQuestion } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { cost, counted, duration } from "../../../../src/protocol/figures.ts";
import { runningMsAt, type ViewEntry } from "../../../../src/protocol/run-view.ts";
import { RunStatusBadge } from "../../ui/run-status-badge.tsx";
import { BranchesSection } from "./branches-section.tsx";
import { budgetUses, colorOfUse } from "./figures.ts";
import type { FollowedRun } from "./followed-runs.tsx";
import { QuickActions } from "./quick-actions.tsx";
import { ScratchpadTail } from "./scratchpad-tail.tsx";
import { useSecond } from "./use-second.ts";

/** The rest is on the run's page. */
const entriesShown = 6;

export function RunPanel({ run, view }: FollowedRun) {
  const { status } = view.state;
  return (
    <Stack gap="md">
      <div>
        <Group gap="sm" mb={4}>
          <RunStatusBadge status={status} />
          <Text size="sm">
            Iteration {view.iteration} of {view.maxIterations}
            {view.attempt > 1 ? `, attempt ${view.attempt}` : ""}
          </Text>
        </Group>
        <Title order={3} size="h5" lineClamp={3} className="breakable" dir="auto">
          {run.objective}
        </Title>
        {view.lastWhy ? (
          <Text size="sm" c="dimmed" lineClamp={3} className="breakable" dir="auto">
            {view.lastWhy}
          </Text>
        ) : null}
      </div>
      <QuickActions runId={run.id} status={status} />
      <Asked followed={{ run, view }} />
      <Figures run={run} view={view} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <LatestEntries entries={view.entries} count={view.entryCount} />
        <BranchesSection runId={run.id} view={view} />
      </SimpleGrid>
      <ScratchpadTail runId={run.id} />
    </Stack>
  );
}

function Asked({ followed: { view } }: { readonly followed: FollowedRun }) {
  if (view.state.status !== "waiting_on_user") return null;
  return (
    <Alert color="orange" icon={<IconMessageQuestion aria-hidden />} title="It waits for you">
      {view.state.questions.map(({ id, text }) => (
        <Text key={id} size="sm" lineClamp={4} className="breakable" dir="auto">
          {text}
        </Text>
      ))}
    </Alert>
  );
}

function Figures({ run, view }: FollowedRun) {
  const nowMs = useSecond(view.state.status === "running");
  const { metrics } = run;
  return (
    <section aria-label="Used so far">
      <Group gap="lg" mb="xs">
        <Figure name="Cost">{cost(view.costMicroUsd, metrics.unpriced_calls)}</Figure>
        <Figure name="Tokens">{view.tokens.toLocaleString("en")}</Figure>
        <Figure name="Time at work">{duration(runningMsAt(view, nowMs))}</Figure>
        <Figure name="Checks">
          {view.allChecks === 0 ? "none yet" : `${view.greenChecks} of ${view.allChecks} green`}
        </Figure>
      </Group>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="xs">
        {budgetUses(run, view, nowMs).map(({ name, words, percent }) => (
          <div key={name}>
            <Text size="xs" c="dimmed">
              {name}: {words}
            </Text>
            <Progress value={percent} color={colorOfUse(percent)} size="sm" aria-label={`${name}: ${words}`} />
          </div>
        ))}
      </SimpleGrid>
    </section>
  );
}

function Figure({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Text fw={600} className="tabular">
        {children}
      </Text>
    </div>
  );
}

function LatestEntries({ entries, count }: { readonly entries: readonly ViewEntry[]; readonly count: number }) {
  const latest = entries.slice(-entriesShown).reverse();
  return (
    <section aria-label="What it did last">
      <Title order={4} size="h6" mb={4}>
        What it did last
      </Title>
      {latest.length === 0 ? (
        <Text size="sm" c="dimmed">
          Nothing yet in this iteration.
        </Text>
      ) : (
        <Stack component="ol" gap={4} className="plain-list">
          {latest.map(({ key, summary, isFailed }) => (
            <Text component="li" key={key} size="sm" lineClamp={2} className="breakable" dir="auto">
              {isFailed ? `Failed: ${summary}` : summary}
            </Text>
          ))}
        </Stack>
      )}
      <Text size="xs" c="dimmed" mt={4}>
        {counted(count, "step")} in this iteration
      </Text>
    </section>
  );
}
