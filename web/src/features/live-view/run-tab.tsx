// One run in the list of the live view: what it is about, how it stands, and what it did last.

import { Group, Tabs, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { RunSummary } from "../../../../src/protocol/api.ts";
import { dollars } from "../../../../src/protocol/figures.ts";
import { runQuery } from "../../lib/data/runs.ts";
import { RunStatusBadge } from "../../ui/run-status-badge.tsx";
import type { RunStatus } from "../../ui/run-words.ts";
import type { FollowedRun } from "./followed-runs.tsx";

type RunTabProps = {
  readonly runId: string;
  /** As the lists have it; undefined once it has left them. */
  readonly listed: RunSummary | undefined;
  readonly followed: FollowedRun | undefined;
};

type TabFacts = {
  readonly objective: string;
  readonly status: RunStatus;
  readonly iteration: number;
  readonly costMicroUsd: number;
  readonly line: string | null;
};

export function RunTab({ runId, listed, followed }: RunTabProps) {
  const read = useQuery({ ...runQuery(runId), enabled: listed === undefined && followed === undefined }).data?.run;
  const summary = listed ?? read;
  const facts = followed ? factsOf(followed) : summary ? factsOfSummary(summary) : null;
  if (facts === null) return null;
  const { objective, status, iteration, costMicroUsd, line } = facts;
  return (
    <Tabs.Tab value={runId} className="live-tab">
      <Text size="sm" fw={600} lineClamp={2} className="breakable" dir="auto">
        {objective}
      </Text>
      <Group gap="xs" mt={4} wrap="nowrap">
        <RunStatusBadge status={status} />
        <Text size="xs" c="dimmed" className="unbroken">
          Iteration {iteration} · {dollars(costMicroUsd)}
        </Text>
      </Group>
      {line ? (
        <Text size="xs" c="dimmed" lineClamp={1} mt={4} className="breakable" dir="auto">
          {line}
        </Text>
      ) : null}
    </Tabs.Tab>
  );
}

function factsOf({ run, view }: FollowedRun): TabFacts {
  const { status } = view.state;
  const asked = view.state.status === "waiting_on_user" ? (view.state.questions[0]?.text ?? null) : null;
  return {
    objective: run.objective,
    status,
    iteration: view.iteration,
    costMicroUsd: view.costMicroUsd,
    line: asked ?? view.entries.at(-1)?.summary ?? run.progress,
  };
}

function factsOfSummary({ objective, status, iteration, metrics, question, progress }: RunSummary): TabFacts {
  return { objective, status, iteration, costMicroUsd: metrics.cost_total_micro_usd, line: question ?? progress };
}
