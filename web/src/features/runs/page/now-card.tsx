// What the run is doing right now: in words, with the last steps as they happen.

import { Group, Stack, Text } from "@mantine/core";
import { IconCheck, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { type RunView, runningMsAt } from "../../../../../src/protocol/run-view.ts";
import { entrySummary } from "../../../../../src/protocol/words/entry.ts";
import { Card } from "../../../ui/card.tsx";
import { activeWords, goesOnByItself } from "../../../ui/run-words.ts";
import { useRun } from "../run-context.tsx";
import { describeRun } from "./describe-run.ts";
import { StepNow } from "./step-now.tsx";
import { isTold } from "./step-words.ts";
import { useNow } from "./use-now.ts";

/** `action`: the button for what is to be done about it. */
export function NowCard({ action = null }: { readonly action?: ReactNode }) {
  const { run, view } = useRun();
  const { status } = view.state;
  const nowMs = useNow(status === "running");
  const words = describeRun(run, view, nowMs);
  const step = status === "running" ? run.plan.find((each) => each.status === "in_progress") : undefined;
  const active = activeWords(runningMsAt(view, nowMs));
  return (
    <Card
      title={goesOnByItself(status) || status === "waiting_on_user" ? "Now" : "What happened"}
      {...(active === null ? {} : { beside: active })}
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
        {status === "running" ? <StepNow /> : null}
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

/** What it did in the iteration, the newest first. */
function Entries({ view }: { readonly view: RunView }) {
  const told = view.entries.filter(isTold).toReversed();
  if (told.length === 0) return null;
  const hidden = view.entryCount - view.entries.length;
  return (
    <div>
      <Group gap={6}>
        <Text size="sm" fw={600}>
          {goesOnByItself(view.state.status) ? "Just done" : "Last iteration"}
        </Text>
        {hidden > 0 ? (
          <Text size="sm" c="dimmed">
            {hidden} earlier
          </Text>
        ) : null}
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <ol className="plain-list run-entries" tabIndex={0} aria-label="Steps">
        {told.map((entry) => (
          <li key={entry.key} className="run-entry">
            {entry.isFailed ? (
              <IconX size={14} aria-label="Failed" className="run-entry-mark run-red" />
            ) : (
              <IconCheck size={14} aria-hidden className="run-entry-mark" />
            )}
            <Text size="sm" className="breakable" dir="auto">
              {entry.lane === "judge" ? "Judged the work" : entrySummary(entry.summary)}
            </Text>
          </li>
        ))}
      </ol>
    </div>
  );
}
