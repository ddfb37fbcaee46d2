// What one may use on a server that is shared, as admins have set it, and what of it is used this month.

import { Paper, Progress, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { routes } from "../../../../src/protocol/api.ts";
import { counted, dollars, exactDollars, megabytes } from "../../../../src/protocol/figures.ts";
import type { RouteResult } from "../../../../src/protocol/route.ts";
import { QueryView } from "../../ui/query-view.tsx";
import { myQuotaQuery } from "./settings-queries.ts";

type MyQuota = RouteResult<typeof routes.identity.myQuota>;

export function YourLimits() {
  const quota = useQuery(myQuotaQuery);
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="limits">
      <Title order={2} size="h4" id="limits" mb="sm">
        Your limits
      </Title>
      <QueryView query={quota}>{(loaded) => <Limits quota={loaded} />}</QueryView>
    </Paper>
  );
}

const toMicro = (amount: number) => Math.round(amount * 1_000_000);

function Limits({ quota }: { readonly quota: MyQuota }) {
  const { monthly_usd: monthly, cost_usd_this_month: spent, run_cost_usd: run, allowed_models: models } = quota;
  const used = dollars(toMicro(spent));
  return (
    <Stack gap="xs">
      <Text size="sm">
        Spent this month: {monthly === null ? `${used}, no limit` : `${used} of ${exactDollars(toMicro(monthly))}`}
      </Text>
      {monthly === null ? null : (
        <Progress value={monthly === 0 ? 100 : Math.min(100, (spent / monthly) * 100)} aria-label="Spent this month" />
      )}
      <Text size="sm">
        {run === null
          ? "A run without a cost limit of its own has none."
          : `A run without a cost limit of its own stops at ${exactDollars(toMicro(run))}.`}
      </Text>
      <Text size="sm">
        Kept text: {megabytes(quota.storage_used_bytes)}
        {quota.storage_bytes === null ? ", no limit" : ` of ${megabytes(quota.storage_bytes)}`}
      </Text>
      <Text size="sm">At once: {counted(quota.runs_at_once, "run")}</Text>
      <Text size="sm" className="breakable">
        Models you may choose: {models === null ? "any" : models.join(", ") || "those that are set for everyone"}
      </Text>
      <Text size="sm" c="dimmed">
        A month begins on its first day, in UTC. A person who manages this installation can change these limits.
      </Text>
    </Stack>
  );
}
