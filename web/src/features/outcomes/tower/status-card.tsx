// How the outcome stands: on course or not, what runs now, what comes next, what it costs, and what HOMЯ did last.

import { Badge, Group, Progress, Stack, Text } from "@mantine/core";
import { IconHistory, IconSettings } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { Outcome, routes } from "../../../../../src/protocol/api.ts";
import { counted } from "../../../../../src/protocol/figures.ts";
import type { RouteResult } from "../../../../../src/protocol/route.ts";
import { homrStatusQuery } from "../../../lib/data/homr.ts";
import { outcomeTasksQuery } from "../../../lib/data/outcomes.ts";
import { Card } from "../../../ui/card.tsx";
import { ButtonLink } from "../../../ui/links.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { Time } from "../../../ui/time.tsx";
import { useOutcome } from "../outcome-context.tsx";
import { costWords, describeCourse, describeNow, progressWords, taskProgress } from "../outcome-words.ts";

type HomrStatus = RouteResult<typeof routes.homr.status>;

export function StatusCard() {
  const { id } = useOutcome();
  const status = useQuery(homrStatusQuery(id));
  return (
    <Card
      title="Control tower"
      beside={
        <ButtonLink
          to="."
          search={{ settings: true }}
          resetScroll={false}
          size="compact-sm"
          variant="subtle"
          leftSection={<IconSettings size={14} aria-hidden />}
        >
          HOMЯ settings
        </ButtonLink>
      }
    >
      <Text size="sm" c="dimmed" mb="sm">
        HOMЯ watches the tasks: it checks every result, corrects the course and asks you when a decision is yours.
      </Text>
      <QueryView query={status}>{(homr) => <Standing homr={homr} />}</QueryView>
    </Card>
  );
}

function Standing({ homr }: { readonly homr: HomrStatus }) {
  const outcome = useOutcome();
  const tasks = useQuery(outcomeTasksQuery(outcome.id)).data ?? [];
  const running = tasks.filter(({ status, run_status: run }) => status === "running" && run !== "waiting_on_user");
  const { now, next } = describeNow(outcome, running);
  const course = describeCourse(homr.recent_observations, homr.enabled, {
    failed: outcome.tasks.failed,
    asked: outcome.open_escalations,
  });
  return (
    <Stack gap="sm">
      <div>
        <Text fw={600} role="status" className="breakable" dir="auto">
          {now}
        </Text>
        {next === null ? null : (
          <Text size="sm" c="dimmed">
            Next: {next}
          </Text>
        )}
      </div>
      {running.some((task) => task.run_id !== null) ? <RunningRuns tasks={running} /> : null}
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Badge variant="light" color={course.color} tt="none" fw={600} className="unshrinkable" mt={2}>
          {course.word}
        </Badge>
        <Text size="sm" lineClamp={4} className="breakable" dir="auto">
          {course.why}
        </Text>
      </Group>
      <TaskProgress outcome={outcome} />
      <Figures outcome={outcome} homr={homr} />
      <Latest homr={homr} />
    </Stack>
  );
}

function RunningRuns({ tasks }: { readonly tasks: readonly { number: number; run_id: string | null }[] }) {
  return (
    <Group gap="xs">
      {tasks.map(({ number, run_id: runId }) =>
        runId === null ? null : (
          <ButtonLink
            key={number}
            to="/homework/runs/$runId"
            params={{ runId }}
            size="compact-sm"
            variant="light"
            leftSection={<span className="live-dot" aria-hidden />}
          >
            Watch task #{number}
          </ButtonLink>
        ),
      )}
    </Group>
  );
}

function TaskProgress({ outcome }: { readonly outcome: Outcome }) {
  const words = progressWords(outcome);
  if (words === null) return null;
  const { done, of } = taskProgress(outcome);
  return (
    <div>
      <Text size="sm">{words}</Text>
      <Progress
        value={(done / of) * 100}
        size="md"
        mt={4}
        color={outcome.status === "achieved" ? "green" : "blue"}
        aria-label="Tasks done"
      />
    </div>
  );
}

function Figures({ outcome, homr }: { readonly outcome: Outcome; readonly homr: HomrStatus }) {
  const { spent, limit } = costWords(outcome, outcome.max_cost_usd);
  const { stats } = homr;
  const counts = [
    [stats.tasks_observed, "Result checked", "Results checked"],
    [stats.discoveries_extracted, "Discovery", "Discoveries"],
    [stats.steering_actions, "Correction", "Corrections"],
  ] as const;
  const figures: readonly (readonly [string, string])[] = [
    [limit === null ? "Cost" : `Cost, limit ${limit}`, spent],
    ...counts
      .filter(([count]) => count > 0)
      .map(([count, one, many]) => [count === 1 ? one : many, count.toLocaleString("en")] as const),
    ...questionFigure(stats.escalations_created, homr.pending_escalations.length),
  ];
  return (
    <dl className="outcome-figures" title={counted(outcome.metrics.tokens_total, "token")}>
      {figures.map(([label, value]) => (
        <div key={label}>
          <Text component="dt" size="xs" c="dimmed">
            {label}
          </Text>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** `2` Questions, or `1 of 2` Questions open. */
function questionFigure(all: number, open: number): readonly (readonly [string, string])[] {
  if (all === 0) return [];
  const count = all.toLocaleString("en");
  return open === 0
    ? [[all === 1 ? "Question" : "Questions", count]]
    : [["Questions open", `${open.toLocaleString("en")} of ${count}`]];
}

function Latest({ homr }: { readonly homr: HomrStatus }) {
  const [latest] = homr.recent_activity;
  return (
    <Stack gap="xs">
      {latest === undefined ? null : (
        <Text size="sm" className="breakable" lineClamp={3} dir="auto">
          <Text span size="sm" fw={600}>
            Latest:{" "}
          </Text>
          {latest.summary}{" "}
          <Text span size="xs" c="dimmed">
            <Time at={latest.created_at} />
          </Text>
        </Text>
      )}
      <Group>
        <ButtonLink
          to="."
          search={{ activity: true }}
          resetScroll={false}
          size="xs"
          variant="default"
          leftSection={<IconHistory size={14} aria-hidden />}
        >
          Activity log
        </ButtonLink>
      </Group>
    </Stack>
  );
}
