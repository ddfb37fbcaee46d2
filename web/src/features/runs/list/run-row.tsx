// One run in the list: its title, where it stands, what it made and what it cost. One that waits for its user says what it asks.

import { Paper, Text } from "@mantine/core";
import { IconMessageQuestion } from "@tabler/icons-react";
import { useId } from "react";
import type { ListedRun } from "../../../../../src/protocol/api.ts";
import { cost, counted } from "../../../../../src/protocol/figures.ts";
import { tone } from "../../../lib/tones.ts";
import { CheckRing } from "../../../ui/check-ring.tsx";
import { AnchorLink, ButtonLink } from "../../../ui/links.tsx";
import { RunStatusBadge } from "../../../ui/run-status-badge.tsx";
import { activeWords, answerWord } from "../../../ui/run-words.ts";
import { Time } from "../../../ui/time.tsx";
import { useNow } from "../page/use-now.ts";
import { askedWords, checkWords, hasWorked, lastLine, nextStep, tallyOf } from "./row-words.ts";

export function RunRow({ run }: { readonly run: ListedRun }) {
  const needsUser = run.status === "waiting_on_user";
  const titleId = useId();
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
            id={titleId}
            fw={600}
            className="breakable run-name"
            dir="auto"
          >
            {run.title}
          </AnchorLink>
        </span>
        {/* The heading above those that need the reader says so. */}
        {needsUser ? null : (
          <span className="run-badges">
            <RunStatusBadge
              status={run.status}
              isPaused={run.stop_reason?.type === "paused"}
              isUndone={run.is_undone}
            />
          </span>
        )}
      </div>
      {needsUser ? <Question run={run} /> : <LastLine run={run} titleId={titleId} />}
      <Facts run={run} />
    </Paper>
  );
}

/** Where it stands, and the way to what one does next. */
function LastLine({ run, titleId }: { readonly run: ListedRun; readonly titleId: string }) {
  const line = lastLine(run, useNow(run.silences.length > 0));
  const next = nextStep(run);
  if (line === null && next === null) return null;
  return (
    <div className="run-last-line">
      <Text size="sm" className={`breakable run-words ${run.is_undone ? "faint" : ""}`} dir="auto">
        {line ?? ""}
      </Text>
      {next === null ? null : (
        <ButtonLink
          to="/homework/runs/$runId"
          params={{ runId: run.id }}
          size="xs"
          variant="default"
          aria-describedby={titleId}
        >
          {next}
        </ButtonLink>
      )}
    </div>
  );
}

function Question({ run }: { readonly run: ListedRun }) {
  const word = answerWord(run.question ?? "");
  return (
    <div className="run-question">
      <IconMessageQuestion size={20} aria-hidden className="unshrinkable" />
      <Text size="sm" fw={600} className="breakable run-words" dir="auto">
        {run.question === null ? "The run has a question." : askedWords(run.question)}
      </Text>
      <ButtonLink
        to="/homework/runs/$runId"
        params={{ runId: run.id }}
        size="xs"
        color={tone.needsYou}
        aria-label={`${word}: ${run.title.slice(0, 100)}`}
      >
        {word}
      </ButtonLink>
    </div>
  );
}

function When({ run }: { readonly run: ListedRun }) {
  return (
    <span className="run-when">
      {run.completed_at === null ? (run.started_at === null ? "queued " : "started ") : "ended "}
      <Time at={run.completed_at ?? run.started_at ?? run.created_at} />
    </span>
  );
}

/** Checks of what was taken back, was never due, or most often never came to be looked at. */
const saysNothing = ({ is_undone: isUndone, status, checks }: ListedRun) =>
  isUndone || status === "canceled" || (status === "failed" && checks.green === 0);

function Facts({ run }: { readonly run: ListedRun }) {
  const { metrics } = run;
  const active = activeWords(metrics.running_ms);
  const tally = saysNothing(run) ? null : tallyOf(run);
  return (
    <Text component="div" size="xs" c="dimmed" className="run-facts">
      {hasWorked(run) ? (
        <>
          <span title={counted(metrics.tokens_total, "token")}>
            {cost(metrics.cost_total_micro_usd, metrics.unpriced_calls)}
          </span>
          {tally === null ? null : (
            <span>
              <CheckRing {...tally} size={14} /> {checkWords(run)}
            </span>
          )}
          {run.status === "failed" && run.checks.of === 0 ? <span>no checks</span> : null}
          {run.completed_at === null || active === null ? null : <span>{active}</span>}
        </>
      ) : null}
      <When run={run} />
    </Text>
  );
}
