// What the run is doing right now: in words, with the last steps as they happen.

import { Group, Stack, Text } from "@mantine/core";
import { IconCheck, IconX } from "@tabler/icons-react";
import { type ReactNode, useEffect, useRef } from "react";
import { duration } from "../../../../../src/protocol/figures.ts";
import { type RunView, runningMsAt } from "../../../../../src/protocol/run-view.ts";
import { Card } from "../../../ui/card.tsx";
import { goesOnByItself } from "../../../ui/run-words.ts";
import { useRun } from "../run-context.tsx";
import { describeRun } from "./describe-run.ts";
import { useNow } from "./use-now.ts";

/** `action`: the button for what is to be done about it. */
export function NowCard({ action = null }: { readonly action?: ReactNode }) {
  const { run, view } = useRun();
  const { status } = view.state;
  const nowMs = useNow(status === "running");
  const words = describeRun(run, view, nowMs);
  const step = status === "running" ? run.plan.find((each) => each.status === "in_progress") : undefined;
  return (
    <Card
      title={goesOnByItself(status) || status === "waiting_on_user" ? "Now" : "What happened"}
      beside={`${duration(runningMsAt(view, nowMs))} active`}
      className={status === "failed" ? "run-failed" : "run-now"}
    >
      <Stack gap="xs">
        {step === undefined ? null : (
          <Text fw={600} size="lg" className="breakable" dir="auto">
            {step.title}
          </Text>
        )}
        <Text fw={step === undefined ? 600 : 400} size={step === undefined ? "md" : "sm"} role="status">
          {words.now}
        </Text>
        {words.detail === null ? null : (
          <Text size="sm" className="breakable" dir="auto">
            {words.detail}
          </Text>
        )}
        <Entries view={view} />
        {words.why === null ? null : <Line label={words.why.label} text={words.why.text} />}
        <Text size="sm" c="dimmed">
          {words.next} {words.byItself}
        </Text>
        {action === null ? null : <Group gap="xs">{action}</Group>}
      </Stack>
    </Card>
  );
}

function Line({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <Text size="sm" className="breakable" dir="auto">
      <Text span fw={600} size="sm">
        {label}:{" "}
      </Text>
      {text}
    </Text>
  );
}

function Entries({ view }: { readonly view: RunView }) {
  const list = useRef<HTMLOListElement>(null);
  const isLive = goesOnByItself(view.state.status);
  // The newest is at the end: stays in sight unless someone scrolled up to read.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new step means there is more to see
  useEffect(() => {
    const { current } = list;
    if (!current) return;
    const fromEnd = current.scrollHeight - current.scrollTop - current.clientHeight;
    if (fromEnd < 80) current.scrollTop = current.scrollHeight;
  }, [view.entryCount]);
  if (view.entries.length === 0) return null;
  const hidden = view.entryCount - view.entries.length;
  return (
    <div>
      <Group gap={6}>
        <Text size="sm" fw={600}>
          {isLive ? "This iteration" : "Last iteration"}
        </Text>
        {hidden > 0 ? (
          <Text size="sm" c="dimmed">
            {hidden} earlier
          </Text>
        ) : null}
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <ol ref={list} className="plain-list run-entries" tabIndex={0} aria-label="Steps">
        {view.entries.map((entry) => (
          <li key={entry.key} className="run-entry">
            {entry.isFailed ? (
              <IconX size={14} aria-label="Failed" className="run-entry-mark run-red" />
            ) : (
              <IconCheck size={14} aria-hidden className="run-entry-mark" />
            )}
            <Text size="sm" className="breakable" dir="auto">
              {entry.lane === "judge" ? "Judged the work" : entry.summary}
            </Text>
          </li>
        ))}
      </ol>
    </div>
  );
}
