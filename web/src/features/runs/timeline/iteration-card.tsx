// One iteration: its number, how it went and what it used; opened, what it did and why it went on. Closed it is made of plain
// elements: many of them come and go while one scrolls.

import { IconChevronRight } from "@tabler/icons-react";
import { memo } from "react";
import type { RunIteration } from "../../../../../src/protocol/api.ts";
import { iterationStatusWords } from "../../../../../src/protocol/words/iteration-status.ts";
import { Time } from "../../../ui/time.tsx";
import { Chip } from "../events/chip.tsx";
import { IterationBody } from "./iteration-body.tsx";
import { fineCost, iterationMs, iterationStatusColors, madeWords, shortDuration } from "./iteration-words.ts";

type IterationCardProps = {
  readonly runId: string;
  readonly number: number;
  /** Undefined until it is loaded. */
  readonly iteration: RunIteration | undefined;
  readonly isOpen: boolean;
  readonly withPlatform: boolean;
  /** The documents that the run keeps for itself; null where they are not all known. The same set every time. */
  readonly notes: ReadonlySet<string> | null;
  readonly onToggle: (number: number) => void;
  readonly onFork: (number: number) => void;
};

export const IterationCard = memo(function IterationCard(props: IterationCardProps) {
  const { runId, number, iteration, isOpen, withPlatform, notes, onToggle, onFork } = props;
  return (
    <div className="iteration-card" data-live={iteration?.status === "running" || undefined}>
      <button
        type="button"
        className="iteration-header"
        data-iteration={number}
        aria-expanded={isOpen}
        aria-controls={isOpen ? `iteration-${number}-body` : undefined}
        onClick={() => onToggle(number)}
      >
        <IconChevronRight size={16} aria-hidden className={isOpen ? "unshrinkable turned" : "unshrinkable"} />
        {iteration ? <Summary iteration={iteration} isOpen={isOpen} notes={notes} /> : <Unloaded number={number} />}
      </button>
      {isOpen && iteration ? (
        <div id={`iteration-${number}-body`} className="iteration-body">
          <IterationBody runId={runId} iteration={iteration} withPlatform={withPlatform} onFork={onFork} />
        </div>
      ) : null}
    </div>
  );
});

function Unloaded({ number }: { readonly number: number }) {
  return (
    <span className="iteration-words" aria-busy>
      <b>Iteration {number}</b>
      <span className="iteration-unloaded" />
    </span>
  );
}

type SummaryProps = { readonly iteration: RunIteration } & Pick<IterationCardProps, "isOpen" | "notes">;

function Summary({ iteration, isOpen, notes }: SummaryProps) {
  const { status, summary, error, attempts } = iteration;
  return (
    <span className="iteration-words">
      <span className="iteration-line">
        <b>Iteration {iteration.iteration}</b>
        <Chip color={iterationStatusColors[status]}>
          {status === "running" ? <span className="live-dot" aria-hidden /> : null}
          {iterationStatusWords[status]}
        </Chip>
        {attempts > 1 ? <Chip color="gray">Attempt {attempts}</Chip> : null}
        <span className="iteration-small">
          <Time at={iteration.started_at} />
        </span>
      </span>
      <span className={isOpen ? "iteration-summary" : "iteration-summary clamped"}>
        {summary || (status === "running" ? "Running now." : "The iteration has no summary.")}
      </span>
      {error && !isOpen ? <span className="iteration-error">{error}</span> : null}
      <span className="iteration-small">{figuresOf(iteration, notes).join(" · ")}</span>
    </span>
  );
}

function figuresOf(iteration: RunIteration, notes: ReadonlySet<string> | null): readonly string[] {
  const { metrics } = iteration;
  const ms = iterationMs(iteration);
  const made = madeWords(iteration.artifacts, notes);
  return [
    ...(ms === null ? [] : [shortDuration(ms)]),
    ...(metrics === null ? [] : [fineCost(metrics.cost_total_micro_usd, metrics.unpriced_calls)]),
    ...(made === null ? [] : [made]),
  ];
}
