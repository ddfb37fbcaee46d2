// What the run may use, what it has used, and for how long the rest lasts; time ticks.

import { Group, Progress, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { seriesQuery } from "../../../lib/data/runs.ts";
import { tone } from "../../../lib/tones.ts";
import { Card } from "../../../ui/card.tsx";
import { type Usual, usualOf } from "../pictures/figures-over-time.ts";
import { useRun } from "../run-context.tsx";
import { type BudgetBar, budgetBars, tightestBudget } from "./budget-bars.ts";
import { useNow } from "./use-now.ts";

export function BudgetsCard() {
  const { run, view } = useRun();
  const { state } = view;
  const nowMs = useNow(state.status === "running" && state.since !== null);
  const usual = useUsual(run.id);
  const bars = budgetBars(run, view, nowMs, usual);
  return (
    <Card title="Limits">
      <Stack gap="sm">
        {bars.map((bar) => (
          <Bar key={bar.key} bar={bar} />
        ))}
        <Caption hasForecast={bars.some(({ nextPercent }) => nextPercent > 0)} usual={usual} />
      </Stack>
    </Card>
  );
}

/** Null until it is read, and where the oldest iterations are left out of it. */
function useUsual(runId: string): Usual | null {
  const { data } = useQuery(seriesQuery(runId));
  return data?.items[0]?.iteration === 1 ? usualOf(data.items) : null;
}

function Caption({ hasForecast, usual }: { readonly hasForecast: boolean; readonly usual: Usual | null }) {
  const { run, view } = useRun();
  const tightest = hasForecast ? tightestBudget(run, view, usual) : null;
  const sentences = [
    ...(tightest === null
      ? []
      : [`If it goes on like this, its ${tightest} will be used up before its iterations are.`]),
    ...(hasForecast ? ["The lighter part of a bar is what one more iteration of the usual size would use."] : []),
    ...(run.budgets.hard ? ["Calls of models that could cross the cost limit are refused."] : []),
  ];
  if (sentences.length === 0) return null;
  return (
    <Text size="sm" c="dimmed">
      {sentences.join(" ")}
    </Text>
  );
}

function Bar({ bar }: { readonly bar: BudgetBar }) {
  const of = bar.limit === null ? "no limit" : `of ${bar.limit}`;
  const color = bar.usedPercent >= 80 ? tone.strong : tone.atWork;
  return (
    <div>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="baseline">
        <Text size="sm" fw={600}>
          {bar.label}
        </Text>
        <Text size="sm" ta="right">
          <Text span size="sm" fw={600}>
            {bar.used}
          </Text>{" "}
          <Text span size="sm" c="dimmed">
            {of}
          </Text>
        </Text>
      </Group>
      {bar.limit === null ? null : (
        <Progress.Root size="sm" mt={4} role="img" aria-label={`${bar.label}: ${bar.used} ${of}`}>
          <Progress.Section value={bar.usedPercent} color={color} withAria={false} />
          <Progress.Section value={bar.nextPercent} color={color} opacity={0.35} withAria={false} />
        </Progress.Root>
      )}
      {bar.lasts === null ? null : (
        <Text size="xs" c="dimmed" mt={2}>
          {bar.lasts}
        </Text>
      )}
    </div>
  );
}
