// Above the picture of dependencies: what stands in the way of others, in a sentence each.

import { Stack, Text } from "@mantine/core";
import type { OutcomeTask } from "../../../../../src/protocol/api.ts";
import { counted } from "../../../../../src/protocol/figures.ts";
import { AnchorLink } from "../../../ui/links.tsx";
import { nameTask } from "../tasks/task-words.ts";
import type { HeldUp } from "./held-up.ts";

/** More are seen in the picture. */
const linesMax = 3;

export function HeldUpLines({ found }: { readonly found: readonly HeldUp<OutcomeTask>[] }) {
  if (found.length === 0) return null;
  return (
    <Stack component="ul" gap={6} className="plain-list" aria-label="What holds others up">
      {found.slice(0, linesMax).map((each) => (
        <Line key={each.task.id} {...each} />
      ))}
      {found.length > linesMax ? (
        <Text component="li" size="sm" c="dimmed">
          {counted(found.length - linesMax, "more task")} failed or waiting for you
        </Text>
      ) : null}
    </Stack>
  );
}

function Line({ task, waiting }: HeldUp<OutcomeTask>) {
  const state = task.status === "failed" ? "failed" : "waits for you";
  return (
    <Text component="li" size="sm" className="held-up" data-status={task.status}>
      <AnchorLink to="." search={(old) => ({ ...old, task: task.id })} resetScroll={false} fw={600} dir="auto">
        {nameTask(task)}
      </AnchorLink>{" "}
      {state}
      {waiting.size === 0 ? "." : `. ${waiting.size === 1 ? "1 task waits" : `${waiting.size} tasks wait`} for it.`}
    </Text>
  );
}
