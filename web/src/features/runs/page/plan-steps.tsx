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

type PlanStepsProps = {
  readonly runId: string;
  readonly steps: readonly PlanStep[];
  readonly titles?: ReadonlyMap<string, RunOutput>;
};

export function PlanSteps({ runId, steps, titles = new Map() }: PlanStepsProps) {
  return (
    <ol className="plain-list">
      {steps.map((step) => (
        <li key={step.id} className="run-row">
          <Step runId={runId} step={step} titles={titles} />
        </li>
      ))}
    </ol>
  );
}

type StepProps = { readonly runId: string; readonly step: PlanStep; readonly titles: ReadonlyMap<string, RunOutput> };

function Step({ runId, step, titles }: StepProps) {
  const { Icon, color } = looks[step.status];
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
          {factsOf(step)}
        </Text>
        <ArtifactLinks runId={runId} artifacts={step.evidence} titles={titles} />
      </Stack>
    </Group>
  );
}

function factsOf(step: PlanStep): string {
  return [
    looks[step.status].words,
    ...(step.is_optional ? ["optional"] : []),
    ...(step.owner === null ? [] : [step.owner]),
    ...(step.last_iteration > 0 ? [`iteration ${step.last_iteration}`] : []),
  ].join(" · ");
}
