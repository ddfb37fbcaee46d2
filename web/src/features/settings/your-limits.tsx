// What one may use on a server that is shared, as admins have set it, and what of it is used this month.

import { Paper, Progress, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { routes } from "../../../../src/protocol/api.ts";
import { exactDollars, megabytes } from "../../../../src/protocol/figures.ts";
import type { RouteResult } from "../../../../src/protocol/route.ts";
import { meQuery } from "../../lib/data/me.ts";
import { AnchorLink } from "../../ui/links.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { describeSpent, toMicro } from "./quota-words.ts";
import { myQuotaQuery } from "./settings-queries.ts";
import "./settings.css";

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

function Limits({ quota }: { readonly quota: MyQuota }) {
  const { monthly_usd: monthly, run_cost_usd: run, allowed_models: models } = quota;
  const limit = monthly === null ? null : toMicro(monthly);
  const used = toMicro(quota.cost_usd_this_month);
  return (
    <Stack gap="xs">
      <dl className="limit-list">
        <Limit label="Spent this month">
          {describeSpent(quota)}
          {limit === null ? ", no limit" : ` of ${exactDollars(limit)}`}
        </Limit>
        <Limit label="Cost limit of one run">
          {run === null ? "none" : `${exactDollars(toMicro(run))}, unless the run sets its own`}
        </Limit>
        <Limit label="Room used by your documents, tasks and notes">
          {megabytes(quota.storage_used_bytes)}
          {quota.storage_bytes === null ? ", no limit" : ` of ${megabytes(quota.storage_bytes)}`}
        </Limit>
        <Limit label="Runs at once">{quota.runs_at_once}</Limit>
        <Limit label="Models you may choose">
          {models === null ? "any" : models.join(", ") || "those that are set for everyone"}
        </Limit>
      </dl>
      {limit === null ? null : (
        <Progress value={limit === 0 ? 100 : Math.min(100, (used / limit) * 100)} aria-label="Spent this month" />
      )}
      <Text size="sm" c="dimmed">
        A month begins on its first day, in UTC. <WhoChanges />
      </Text>
    </Stack>
  );
}

function Limit({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className="breakable">{children}</dd>
    </div>
  );
}

function WhoChanges() {
  const isAdmin = useQuery(meQuery).data?.user.role === "admin";
  if (!isAdmin) return <>A person who manages this installation can change these limits.</>;
  return (
    <>
      You can change these limits under{" "}
      <AnchorLink to="/settings/quotas" underline="always">
        Quotas
      </AnchorLink>
      .
    </>
  );
}
