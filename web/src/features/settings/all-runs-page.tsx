// The runs of everyone, for admins: whose they are, how they stand, what they cost, and a way to cancel one.

import { Badge, Box, Button, Group, Paper, SegmentedControl, Stack, Text, Title } from "@mantine/core";
import { IconRocket } from "@tabler/icons-react";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { routes } from "../../../../src/protocol/api.ts";
import { api } from "../../lib/api.ts";
import { meQuery } from "../../lib/data/me.ts";
import { runsQuery } from "../../lib/data/runs.ts";
import { exactTime } from "../../lib/dates.ts";
import { tone } from "../../lib/tones.ts";
import { askFirst } from "../../ui/confirm.tsx";
import { EmptyNotice } from "../../ui/empty-notice.tsx";
import { AnchorLink } from "../../ui/links.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { RunStatusBadge } from "../../ui/run-status-badge.tsx";
import { Time } from "../../ui/time.tsx";
import { usePageTitle } from "../../ui/use-page-title.ts";
import { costOf, countStates, groupByOwner, type SomeRun, totalCost, waitWords } from "./all-runs-words.ts";
import { allRunsQuery, type RunGroup, settingKeys } from "./settings-queries.ts";
import { type Column, StackingTable } from "./stacking-table.tsx";

export function AllRunsPage() {
  const [group, setGroup] = useState<RunGroup>("active");
  const runs = useInfiniteQuery(allRunsQuery(group));
  usePageTitle("All runs", "Settings");
  return (
    <>
      <PageHeader
        title="All runs"
        actions={
          <SegmentedControl
            aria-label="Which runs"
            value={group}
            onChange={(value) => setGroup(value as RunGroup)}
            data={[
              { value: "active", label: "Active" },
              { value: "all", label: "All" },
            ]}
          />
        }
      />
      <Text c="dimmed" size="sm" mb="md" maw={640}>
        Who is using this installation, and what it costs. You see what your own runs are about, not those of others.
      </Text>
      <QueryView query={runs}>
        {(data) => {
          const items = data.pages.flatMap((page) => page.items);
          if (items.length === 0) return <NoRuns />;
          return (
            <Stack>
              {groupByOwner(items).map(({ owner, runs: own }) => (
                <OwnerSection key={owner.user_id} owner={owner} runs={own} />
              ))}
              <LoadMore query={runs} />
            </Stack>
          );
        }}
      </QueryView>
    </>
  );
}

function NoRuns() {
  return (
    <EmptyNotice icon={<IconRocket aria-hidden />} title="No runs are active">
      Choose All to see runs that have ended.
    </EmptyNotice>
  );
}

/** More queued runs than these are folded. */
const queuedShown = 3;

type OwnerSectionProps = { readonly owner: SomeRun; readonly runs: readonly SomeRun[] };

function OwnerSection({ owner, runs }: OwnerSectionProps) {
  const headingId = useId();
  const [isOpen, setOpen] = useState(false);
  const queued = runs.filter(({ status }) => status === "queued");
  const isFolded = queued.length > queuedShown && !isOpen;
  const shown = isFolded ? runs.filter(({ status }) => status !== "queued") : runs;
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={headingId}>
      <Box className="breakable" mb={shown.length > 0 ? "xs" : 0}>
        <Title order={2} size="h5" id={headingId}>
          {owner.user_name}{" "}
          {owner.is_user_disabled ? (
            <Badge variant="light" color={tone.plain} tt="none">
              Account closed
            </Badge>
          ) : null}
        </Title>
        <Text size="sm" c="dimmed">
          {owner.user_email}
        </Text>
        <Text size="sm">
          {totalCost(runs)} for these runs · {countStates(runs)}
        </Text>
      </Box>
      {shown.length > 0 ? (
        <StackingTable
          label={`Runs of ${owner.user_name}`}
          columns={columns}
          rows={[...shown].sort((one, other) => rankOf(one) - rankOf(other))}
          keyOf={({ id }) => id}
        />
      ) : null}
      {queued.length > queuedShown ? (
        <Button variant="subtle" size="compact-sm" mt="xs" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Hide queued runs" : `Show ${queued.length} queued runs`}
        </Button>
      ) : null}
    </Paper>
  );
}

/** What waits for its owner, then what runs, then the queue; ended runs stay in their order. */
const rankOf = ({ status }: SomeRun) => {
  const rank = ["waiting_on_user", "running", "queued"].indexOf(status);
  return rank < 0 ? 3 : rank;
};

const mayCancel = ({ status }: SomeRun) => !["completed", "failed", "canceled"].includes(status);

const columns: readonly Column<SomeRun>[] = [
  { label: "Run", part: "title", width: "42%", cell: (run) => <State run={run} /> },
  { label: "Created", width: "32%", cell: (run) => <Created run={run} /> },
  { label: "Cost", align: "number", width: "14%", cell: costOf },
  {
    label: "Actions",
    part: "actions",
    width: "12%",
    cell: (run) => (mayCancel(run) ? <CancelButton run={run} /> : null),
  },
];

type RowProps = { readonly run: SomeRun };

function Created({ run: { created_at: at } }: RowProps) {
  return (
    <span>
      {exactTime(at, Date.now())} ·{" "}
      <Text span inherit c="dimmed">
        <Time at={at} />
      </Text>
    </span>
  );
}

function State({ run }: RowProps) {
  const me = useQuery(meQuery).data?.user.id;
  if (run.user_id === me) return <OwnRun run={run} />;
  if (run.status !== "waiting_on_user")
    return <RunStatusBadge status={run.status} isPaused={run.stop_reason === "paused"} />;
  return (
    <Badge variant="light" color={tone.plain} tt="none" fw={600}>
      {waitWords(run, me)}
    </Badge>
  );
}

/** What one's own run is about is no secret. */
function OwnRun({ run }: RowProps) {
  const runs = useInfiniteQuery(runsQuery({})).data?.pages.flatMap((page) => page.items);
  const title = runs?.find(({ id }) => id === run.id)?.title ?? "Your run";
  return (
    <Group gap="xs" className="breakable">
      <RunStatusBadge status={run.status} isPaused={run.stop_reason === "paused"} />
      <AnchorLink to="/homework/runs/$runId" params={{ runId: run.id }} size="sm">
        {title}
      </AnchorLink>
    </Group>
  );
}

function CancelButton({ run }: { readonly run: SomeRun }) {
  const queryClient = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => api(routes.identity.cancelAnyRun, { params: { anyRunId: run.id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: settingKeys.allRuns }),
  });
  const ask = () =>
    askFirst({
      title: `End this run of ${run.user_name}?`,
      text: "The run ends at once and cannot be resumed. What it has written stays.",
      confirm: "End run",
      onConfirm: () => cancel.mutate(),
    });
  return (
    <Button
      variant="default"
      size="xs"
      loading={cancel.isPending}
      onClick={ask}
      aria-label={`End the run of ${run.user_name}`}
    >
      End
    </Button>
  );
}
