// What every user uses and has spent, beside what they may use, which admins set here for everyone or for one.

import { Button, Code, Group, Table, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { routes } from "../../../../src/protocol/api.ts";
import { cost, counted, megabytes } from "../../../../src/protocol/figures.ts";
import type { RouteResult } from "../../../../src/protocol/route.ts";
import { LoadMore } from "../../ui/load-more.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { usePageTitle } from "../../ui/use-page-title.ts";
import { type Quota, QuotaModal } from "./quota-modal.tsx";
import { quotasQuery } from "./settings-queries.ts";

type Quotas = RouteResult<typeof routes.identity.quotas>;
type UserQuota = Quotas["items"][number];

/** Whose quota is open for change; null in it: that of everyone. */
type Edited = { readonly person: UserQuota | null; readonly quota: Quota };

export function QuotasPage() {
  const quotas = useInfiniteQuery(quotasQuery);
  const [edited, edit] = useState<Edited | null>(null);
  usePageTitle("Quotas", "Settings");
  return (
    <>
      <PageHeader title="Quotas" />
      <QueryView query={quotas}>
        {(data) => (
          <>
            {data.pages[0] ? <Limits of={data.pages[0]} onEdit={edit} /> : null}
            <QuotaTable users={data.pages.flatMap((page) => page.items)} first={data.pages[0]} onEdit={edit} />
            <LoadMore query={quotas} />
          </>
        )}
      </QueryView>
      {edited === null ? null : <QuotaModal {...edited} onClose={() => edit(null)} />}
    </>
  );
}

type Editing = { readonly onEdit: (edited: Edited) => void };

/** What is set, in words; null: nothing is. */
function describeQuota({
  monthly_usd: monthly,
  run_cost_usd: run,
  allowed_models: models,
  ...rest
}: Quota): string | null {
  const parts = [
    ...(monthly === null ? [] : [`${usd(monthly)} a month`]),
    ...(run === null ? [] : [`${usd(run)} per run`]),
    ...(rest.storage_bytes === null ? [] : [megabytes(rest.storage_bytes)]),
    ...(models === null ? [] : [counted(models.length, "allowed model")]),
  ];
  return parts.length === 0 ? null : parts.join(", ");
}

function Limits({ of: { limits, everyone }, onEdit }: Editing & { readonly of: Quotas }) {
  const { live_streams: streams, requests_per_minute: requests } = limits;
  const runs = everyone.runs_at_once ?? limits.runs_at_once;
  return (
    <>
      <Group mb="xs" gap="sm">
        <Text maw={640}>
          Everyone: {counted(runs, "run")} at once, {describeQuota(everyone) ?? "no spending limit"}.
        </Text>
        <Button variant="default" size="xs" onClick={() => onEdit({ person: null, quota: everyone })}>
          Edit quota of everyone
        </Button>
      </Group>
      <Text mb="md" size="sm" c="dimmed" maw={640} className="breakable">
        {counted(streams, "live stream")} and {counted(requests, "request")} a minute per person: set{" "}
        <Code>max_streams_per_user</Code> or <Code>rate_limit_per_minute</Code> in the config file and restart Homework.
      </Text>
    </>
  );
}

type QuotaTableProps = Editing & { readonly users: readonly UserQuota[]; readonly first: Quotas | undefined };

function QuotaTable({ users, first, onEdit }: QuotaTableProps) {
  const usual = first?.everyone.runs_at_once ?? first?.limits.runs_at_once ?? 0;
  return (
    <Table.ScrollContainer minWidth={680}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Person</Table.Th>
            <Table.Th>Active runs</Table.Th>
            <Table.Th>Queued</Table.Th>
            <Table.Th>Spent, 24 hours</Table.Th>
            <Table.Th>Spent, 30 days</Table.Th>
            <Table.Th>Spent this month</Table.Th>
            <Table.Th>Quota</Table.Th>
            <Table.Th aria-label="Actions" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {users.map((user) => (
            <QuotaRow key={user.id} user={user} usualRuns={usual} onEdit={onEdit} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function QuotaRow({ user, usualRuns, onEdit }: Editing & { readonly user: UserQuota; readonly usualRuns: number }) {
  const { quota } = user;
  return (
    <Table.Tr>
      <Table.Td className="breakable">{user.name}</Table.Td>
      <Table.Td>
        {user.active_runs} of {quota.runs_at_once ?? usualRuns}
      </Table.Td>
      <Table.Td>{user.queued_runs}</Table.Td>
      <Table.Td>{cost(toMicro(user.cost_usd_day), 0)}</Table.Td>
      <Table.Td>{cost(toMicro(user.cost_usd_month), user.unpriced_calls)}</Table.Td>
      <Table.Td>{cost(toMicro(user.cost_usd_this_month), 0)}</Table.Td>
      <Table.Td>{describeQuota(quota) ?? "As for everyone"}</Table.Td>
      <Table.Td>
        <Button
          variant="default"
          size="xs"
          aria-label={`Edit quota of ${user.name}`}
          onClick={() => onEdit({ person: user, quota })}
        >
          Edit
        </Button>
      </Table.Td>
    </Table.Tr>
  );
}

const toMicro = (amount: number) => Math.round(amount * 1_000_000);
const usd = (amount: number) => cost(toMicro(amount), 0);
