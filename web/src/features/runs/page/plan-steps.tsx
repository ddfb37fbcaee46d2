// The steps of a plan, one below the other.

import { Group, Stack, Text } from "@mantine/core";
import {
  IconCircle,
  IconCircleCheckFilled,
  IconCircleMinus,
  IconCircleXFilled,
  IconProgress,
} from "@tabler/icons-react";
import type { Run, RunOutput } from "../../../../../src/protocol/api.ts";
import { ArtifactLinks } from "./artifact-links.tsx";

type PlanStep = Run["plan"][number];

const looks = {
  pending: { Icon: IconCircle, color: "faint", words: "To do" },
  in_progress: { Icon: IconProgress, color: "run-blue", words: "In progress" },
  done: { Icon: IconCircleCheckFilled, color: "run-green", words: "Done" },
  failed: { Icon: IconCircleXFilled, color: "run-red", words: "Failed" },
  dropped: { Icon: IconCircleMinus, color: "faint", words: "Dropped" },
} as const satisfies Record<PlanStep["status"], unknown>;

const heldLook = { Icon: IconProgress, color: "faint" } as const;

type PlanStepsProps = {
  readonly runId: string;
  readonly steps: readonly PlanStep[];
  /** What is said of a step that was begun, where the run does not work on it now. */
  readonly begun?: string;
  readonly titles?: ReadonlyMap<string, RunOutput>;
};

export function PlanSteps({ runId, steps, begun, titles = new Map() }: PlanStepsProps) {
  return (
    <ol className="plain-list">
      {steps.map((step) => (
        <li key={step.id} className="run-row">
          <Step runId={runId} step={step} begun={begun} titles={titles} />
        </li>
      ))}
    </ol>
  );
}

type StepProps = {
  readonly runId: string;
  readonly step: PlanStep;
  readonly begun: string | undefined;
  readonly titles: ReadonlyMap<string, RunOutput>;
};

function Step({ runId, step, begun, titles }: StepProps) {
  const { Icon, color } = step.status === "in_progress" && begun !== undefined ? heldLook : looks[step.status];
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Icon size={18} aria-hidden className={`unshrinkable ${color}`} />
      <Stack gap={2} className="grow">
        <Text
          size="sm"
          fw={step.status === "in_progress" ? 600 : 400}
          td={step.status === "dropped" ? "line-through" : "none"}
          className="breakable"
          dir="auto"
        >
          {step.title}
        </Text>
        <Text size="xs" c="dimmed">
          {factsOf(step, begun)}
        </Text>
        <ArtifactLinks runId={runId} artifacts={step.evidence} titles={titles} />
      </Stack>
    </Group>
  );
}

function factsOf(step: PlanStep, begun: string | undefined): string {
  return [
    step.status === "in_progress" && begun !== undefined ? begun : looks[step.status].words,
    ...(step.is_optional ? ["optional"] : []),
    ...(step.owner === null || step.status === "pending" ? [] : [step.owner]),
  ].join(" · ");
}
