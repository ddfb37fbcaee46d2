// One run in the list: its title, where it stands, what it made and what it cost. One that waits for its user says what it asks.

import { Paper, Text } from "@mantine/core";
import { IconMessageQuestion } from "@tabler/icons-react";
import type { ListedRun } from "../../../../../src/protocol/api.ts";
import { cost, counted, duration } from "../../../../../src/protocol/figures.ts";
import { tone } from "../../../lib/tones.ts";
import { CheckRing } from "../../../ui/check-ring.tsx";
import { AnchorLink, ButtonLink } from "../../../ui/links.tsx";
import { plainWords } from "../../../ui/plain-words.ts";
import { RunStatusBadge } from "../../../ui/run-status-badge.tsx";
import { Time } from "../../../ui/time.tsx";
import { checkWords, lastLine, placeWords, tallyOf } from "./row-words.ts";

export function RunRow({ run }: { readonly run: ListedRun }) {
  const needsUser = run.status === "waiting_on_user";
  const line = needsUser ? null : lastLine(run);
  return (
    <Paper
      component="li"
      withBorder
      className={needsUser ? "row listed-run needs-you" : "row listed-run"}
      data-run={run.id}
    >
      <div className="listed-run-head">
        <span className="run-title">
          {run.is_unread ? <span className="unread-dot" role="img" aria-label="New" /> : null}
          <AnchorLink
            to="/homework/runs/$runId"
            params={{ runId: run.id }}
            fw={600}
            lineClamp={2}
            className="breakable"
            dir="auto"
          >
            {run.title}
          </AnchorLink>
        </span>
        <span className="run-badges">
          <RunStatusBadge
            status={run.status}
            isPaused={run.status === "stopped" && run.stop_reason?.type === "paused"}
            isUndone={run.is_undone}
          />
        </span>
      </div>
      {needsUser ? <Question run={run} /> : null}
      {line === null ? null : (
        <Text size="sm" lineClamp={1} className={run.is_undone ? "breakable undone" : "breakable"} dir="auto">
          {line}
        </Text>
      )}
      <Facts run={run} />
    </Paper>
  );
}

function Question({ run }: { readonly run: ListedRun }) {
  return (
    <div className="run-question">
      <IconMessageQuestion size={20} aria-hidden className="unshrinkable" />
      <Text size="sm" fw={600} lineClamp={2} className="breakable" dir="auto">
        {run.question === null ? "The run has a question." : plainWords(run.question)}
      </Text>
      <ButtonLink
        to="/homework/runs/$runId"
        params={{ runId: run.id }}
        size="xs"
        color={tone.needsYou}
        aria-label={`Answer: ${run.title.slice(0, 100)}`}
      >
        Answer
      </ButtonLink>
    </div>
  );
}

function Facts({ run }: { readonly run: ListedRun }) {
  const { metrics } = run;
  // Checks of what was taken back say nothing any more.
  const tally = run.is_undone ? null : tallyOf(run);
  const place = placeWords(run);
  return (
    <Text component="div" size="xs" c="dimmed" className="run-facts">
      {place === null ? null : <strong>{place}</strong>}
      {run.started_at === null ? null : (
        <>
          {tally === null ? null : (
            <span>
              <CheckRing {...tally} size={14} /> {checkWords(run)}
            </span>
          )}
          <span title={counted(metrics.tokens_total, "token")}>
            {cost(metrics.cost_total_micro_usd, metrics.unpriced_calls)}
          </span>
          <span>
            {run.completed_at === null
              ? `Iteration ${run.iteration.toLocaleString("en")} of ${run.max_iterations.toLocaleString("en")}`
              : `${duration(metrics.running_ms)} active`}
          </span>
        </>
      )}
      <span className="run-when">
        {run.completed_at === null ? "started " : "ended "}
        <Time at={run.completed_at ?? run.started_at ?? run.created_at} />
      </span>
    </Text>
  );
}
