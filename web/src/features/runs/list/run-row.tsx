// One run in the list: what it is about, where it stands and what it used. One that waits for its user says what it asks.

import { Paper, Text } from "@mantine/core";
import { IconMessageQuestion } from "@tabler/icons-react";
import type { RunSummary } from "../../../../../src/protocol/api.ts";
import { cost, counted } from "../../../../../src/protocol/figures.ts";
import { AnchorLink, ButtonLink } from "../../../ui/links.tsx";
import { RunStatusBadge } from "../../../ui/run-status-badge.tsx";
import { Time } from "../../../ui/time.tsx";
import { Elapsed } from "./elapsed.tsx";
import { checkWords, lastLine, placeWords } from "./row-words.ts";

export function RunRow({ run }: { readonly run: RunSummary }) {
  const needsUser = run.status === "waiting_on_user";
  const line = needsUser ? null : lastLine(run);
  return (
    <Paper component="li" withBorder className={needsUser ? "row run-row needs-you" : "row run-row"} data-run={run.id}>
      <div className="run-row-head">
        <AnchorLink
          to="/homework/runs/$runId"
          params={{ runId: run.id }}
          fw={600}
          lineClamp={2}
          className="breakable"
          dir="auto"
        >
          {run.objective}
        </AnchorLink>
        <RunStatusBadge status={run.status} />
      </div>
      {needsUser ? <Question run={run} /> : null}
      {line === null ? null : (
        <Text size="sm" c="dimmed" lineClamp={1} className="breakable" dir="auto">
          {line}
        </Text>
      )}
      <Facts run={run} />
    </Paper>
  );
}

function Question({ run }: { readonly run: RunSummary }) {
  return (
    <div className="run-question">
      <IconMessageQuestion size={20} aria-hidden className="unshrinkable" />
      <Text size="sm" fw={600} lineClamp={3} className="breakable" dir="auto">
        {run.question ?? "It has a question."}
      </Text>
      <ButtonLink
        to="/homework/runs/$runId"
        params={{ runId: run.id }}
        size="sm"
        color="orange"
        autoContrast
        aria-label={`Answer: ${run.objective.slice(0, 100)}`}
      >
        Answer
      </ButtonLink>
    </div>
  );
}

function Facts({ run }: { readonly run: RunSummary }) {
  const { metrics } = run;
  const checks = checkWords(run);
  const place = placeWords(run);
  const hasBegun = run.started_at !== null;
  return (
    <Text component="div" size="xs" c="dimmed" className="run-facts">
      {place === null ? null : <strong>{place}</strong>}
      {hasBegun ? (
        <>
          <span>
            Iteration {run.iteration.toLocaleString("en")} of {run.max_iterations.toLocaleString("en")}
          </span>
          <span title="Since it began">
            <Elapsed run={run} />
          </span>
          <span title={counted(metrics.tokens_total, "token")}>
            {cost(metrics.cost_total_micro_usd, metrics.unpriced_calls)}
          </span>
          {checks === null ? null : <span>{checks}</span>}
        </>
      ) : null}
      <span className="run-when">
        {run.completed_at ? (
          <>
            ended <Time at={run.completed_at} />
          </>
        ) : (
          <>
            handed over <Time at={run.created_at} />
          </>
        )}
      </span>
    </Text>
  );
}
