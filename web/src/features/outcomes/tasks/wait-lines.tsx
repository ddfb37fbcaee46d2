// Why a task does not begin yet, one line for each reason.

import { Group, Text } from "@mantine/core";
import {
  IconArrowRight,
  IconClock,
  IconCoin,
  IconHandStop,
  IconHierarchy,
  IconLock,
  IconMessageQuestion,
  IconPlayerPause,
} from "@tabler/icons-react";
import type { OutcomeTask } from "../../../../../src/protocol/api.ts";
import { findWaitReasons, type OutcomeFacts, type WaitReason } from "./wait-reasons.ts";

const icons: Readonly<Record<WaitReason["kind"], typeof IconClock>> = {
  dependency: IconHierarchy,
  gate: IconHandStop,
  later_gate: IconLock,
  question: IconMessageQuestion,
  outcome: IconPlayerPause,
  budget: IconCoin,
  worker: IconClock,
  next: IconArrowRight,
};
/** These wait for the person who reads them. */
const forYou: readonly WaitReason["kind"][] = ["gate", "question"];

type WaitLinesProps = {
  readonly task: OutcomeTask;
  readonly tasks: readonly OutcomeTask[];
  readonly facts: OutcomeFacts;
};

export function WaitLines({ task, tasks, facts }: WaitLinesProps) {
  return findWaitReasons(task, tasks, facts).map(({ kind, words }) => {
    const Icon = icons[kind];
    return (
      <Group
        key={words}
        gap={6}
        wrap="nowrap"
        align="flex-start"
        className={forYou.includes(kind) ? "wait-for-you" : "faint"}
      >
        <Icon size={14} stroke={1.8} aria-hidden className="unshrinkable wait-icon" />
        <Text size="xs" className="breakable" dir="auto">
          {words}
        </Text>
      </Group>
    );
  });
}
