// The runs of everyone, for admins: whose they are, how they stand, what they cost, and a way to cancel one.

import { Badge, Button, SegmentedControl, Table, Text } from "@mantine/core";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { routes } from "../../../../src/protocol/api.ts";
import { cost } from "../../../../src/protocol/figures.ts";
import type { RouteResult } from "../../../../src/protocol/route.ts";
import { api } from "../../lib/api.ts";
import { tone } from "../../lib/tones.ts";
import { askFirst } from "../../ui/confirm.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { RunStatusBadge } from "../../ui/run-status-badge.tsx";
import { Time } from "../../ui/time.tsx";
import { usePageTitle } from "../../ui/use-page-title.ts";
import { allRunsQuery, type RunGroup, settingKeys } from "./settings-queries.ts";

type SomeRun = RouteResult<typeof routes.identity.allRuns>["items"][number];

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
      <QueryView query={runs}>
        {(data) => {
          const items = data.pages.flatMap((page) => page.items);
          if (items.length === 0) return <Text c="dimmed">No runs are active.</Text>;
          return (
            <>
              <RunsTable runs={items} />
              <LoadMore query={runs} />
            </>
          );
        }}
      </QueryView>
    </>
  );
}

function RunsTable({ runs }: { readonly runs: readonly SomeRun[] }) {
  return (
    <Table.ScrollContainer minWidth={620}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Owner</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th>Iteration</Table.Th>
            <Table.Th>Cost</Table.Th>
            <Table.Th>Started</Table.Th>
            <Table.Th aria-label="Actions" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {runs.map((run) => (
            <RunRow key={run.id} run={run} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

const mayCancel = ({ status }: SomeRun) => !["completed", "failed", "canceled"].includes(status);

function RunRow({ run }: { readonly run: SomeRun }) {
  return (
    <Table.Tr>
      <Table.Td className="breakable">
        {run.user_name}{" "}
        {run.is_user_disabled ? (
          <Badge variant="light" color={tone.plain} tt="none">
            Shut
          </Badge>
        ) : null}
        <Text size="sm" c="dimmed">
          {run.user_email}
        </Text>
      </Table.Td>
      <Table.Td>
        <RunStatusBadge status={run.status} />
      </Table.Td>
      <Table.Td>{run.iteration}</Table.Td>
      <Table.Td>{cost(Math.round(run.cost_usd * 1_000_000), run.unpriced_calls)}</Table.Td>
      <Table.Td>
        <Time at={run.created_at} />
      </Table.Td>
      <Table.Td>{mayCancel(run) ? <CancelButton run={run} /> : null}</Table.Td>
    </Table.Tr>
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
