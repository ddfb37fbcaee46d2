// What every user uses and has spent, beside what they may use, which admins set here for everyone or for one.

import { Anchor, Button, Code, Group, Paper, Text, Title } from "@mantine/core";
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
import { describeSpent, toMicro } from "./quota-words.ts";
import { quotasQuery } from "./settings-queries.ts";
import { type Column, StackingTable } from "./stacking-table.tsx";

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
    <Paper withBorder p="md" mb="md" component="section" aria-labelledby="quota-of-everyone">
      <Group justify="space-between" gap="sm" align="flex-start">
        <div className="row-text">
          <Title order={2} size="h5" id="quota-of-everyone">
            Everyone
          </Title>
          <Text>
            {counted(runs, "run")} at once, {describeQuota(everyone) ?? "no spending limit"}
          </Text>
        </div>
        <Button variant="default" size="xs" onClick={() => onEdit({ person: null, quota: everyone })}>
          Edit quota of everyone
        </Button>
      </Group>
      <details>
        <Anchor component="summary" size="sm" w="fit-content" mt={4}>
          Technical limits
        </Anchor>
        <Text size="sm" c="dimmed" mt={4} className="breakable">
          {counted(streams, "open page")} and {counted(requests, "request")} a minute per person. They are set in the
          config file with <Code>max_streams_per_user</Code> and <Code>rate_limit_per_minute</Code>; Homework has to be
          restarted afterwards.
        </Text>
      </details>
    </Paper>
  );
}

type QuotaTableProps = Editing & { readonly users: readonly UserQuota[]; readonly first: Quotas | undefined };

function QuotaTable({ users, first, onEdit }: QuotaTableProps) {
  const usual = first?.everyone.runs_at_once ?? first?.limits.runs_at_once ?? 0;
  return (
    <>
      <StackingTable
        label="Quotas of people"
        columns={listColumns(usual, onEdit)}
        rows={users}
        keyOf={({ id }) => id}
      />
      <Text size="sm" c="dimmed" mt="sm" maw={720}>
        This month begins on its first day, in UTC. “Reserved” is the most that running model calls can still cost; it
        counts towards the quota until each call ends.
      </Text>
    </>
  );
}

function listColumns(usualRuns: number, onEdit: Editing["onEdit"]): readonly Column<UserQuota>[] {
  return [
    { label: "Person", part: "title", cell: ({ name }) => <Text fw={600}>{name}</Text> },
    { label: "Runs now", cell: (user) => describeRuns(user, usualRuns) },
    { label: "Spent, last 24 hours", align: "number", cell: (user) => usd(user.cost_usd_day) },
    {
      label: "Spent, last 30 days",
      align: "number",
      cell: (user) => cost(toMicro(user.cost_usd_month), user.unpriced_calls),
    },
    { label: "Spent, this month", align: "number", cell: (user) => describeSpent(user) },
    { label: "Quota", cell: ({ quota }) => describeQuota(quota) ?? "As for everyone" },
    {
      label: "Actions",
      part: "actions",
      cell: (user) => (
        <Button
          variant="default"
          size="xs"
          aria-label={`Edit quota of ${user.name}`}
          onClick={() => onEdit({ person: user, quota: user.quota })}
        >
          Edit
        </Button>
      ),
    },
  ];
}

/** `2 of 2, 28 queued`. */
function describeRuns({ quota, active_runs: active, queued_runs: queued }: UserQuota, usualRuns: number): string {
  return `${active} of ${quota.runs_at_once ?? usualRuns}${queued === 0 ? "" : `, ${queued} queued`}`;
}

const usd = (amount: number) => cost(toMicro(amount), 0);
