// What every user uses and has spent, beside the limits that hold for each of them, for admins.

import { Code, Table, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { routes } from "../../../../src/protocol/api.ts";
import { cost, counted } from "../../../../src/protocol/figures.ts";
import type { RouteResult } from "../../../../src/protocol/route.ts";
import { LoadMore } from "../../ui/load-more.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { usePageTitle } from "../../ui/use-page-title.ts";
import { quotasQuery } from "./settings-queries.ts";

type Quotas = RouteResult<typeof routes.identity.quotas>;

export function QuotasPage() {
  const quotas = useInfiniteQuery(quotasQuery);
  usePageTitle("Quotas", "Settings");
  return (
    <>
      <PageHeader title="Quotas" />
      <QueryView query={quotas}>
        {(data) => (
          <>
            {data.pages[0] ? <Limits limits={data.pages[0].limits} /> : null}
            <QuotaTable
              users={data.pages.flatMap((page) => page.items)}
              runsAtOnce={data.pages[0]?.limits.runs_at_once ?? 0}
            />
            <LoadMore query={quotas} />
          </>
        )}
      </QueryView>
    </>
  );
}

function Limits({ limits }: { readonly limits: Quotas["limits"] }) {
  const { runs_at_once: runs, live_streams: streams, requests_per_minute: requests } = limits;
  return (
    <>
      <Text mb="xs" maw={640}>
        Limits per person: {counted(runs, "run")} at once, {counted(streams, "live stream")},{" "}
        {counted(requests, "request")} a minute. Spending is limited per run, not per person.
      </Text>
      <Text mb="md" size="sm" c="dimmed" maw={640} className="breakable">
        To change them, set <Code>max_concurrent_runs_per_user</Code>, <Code>max_streams_per_user</Code> or{" "}
        <Code>rate_limit_per_minute</Code> in the config file and restart Homework.
      </Text>
    </>
  );
}

type QuotaTableProps = { readonly users: Quotas["items"]; readonly runsAtOnce: number };

function QuotaTable({ users, runsAtOnce }: QuotaTableProps) {
  return (
    <Table.ScrollContainer minWidth={560}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Person</Table.Th>
            <Table.Th>Active runs</Table.Th>
            <Table.Th>Queued</Table.Th>
            <Table.Th>Spent, 24 hours</Table.Th>
            <Table.Th>Spent, 30 days</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {users.map((user) => (
            <Table.Tr key={user.id}>
              <Table.Td className="breakable">{user.name}</Table.Td>
              <Table.Td>
                {user.active_runs} of {runsAtOnce}
              </Table.Td>
              <Table.Td>{user.queued_runs}</Table.Td>
              <Table.Td>{cost(toMicro(user.cost_usd_day), 0)}</Table.Td>
              <Table.Td>{cost(toMicro(user.cost_usd_month), user.unpriced_calls)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

const toMicro = (usd: number) => Math.round(usd * 1_000_000);
