// Checks one below the other, with their proofs.

import { Group, Stack, Text } from "@mantine/core";
import { IconCircleCheckFilled, IconCircleDashed, IconCircleXFilled } from "@tabler/icons-react";
import type { Run, RunOutput } from "../../../../../src/protocol/api.ts";
import { ArtifactLinks } from "./artifact-links.tsx";
import { checkWords, givenByWords, type RunCheck } from "./check-words.ts";

type CheckRowsProps = {
  readonly runId: string;
  readonly checks: readonly RunCheck[];
  readonly deliverables: Run["deliverables"];
  readonly titles?: ReadonlyMap<string, RunOutput>;
};

export function CheckRows({ runId, checks, deliverables, titles = new Map() }: CheckRowsProps) {
  return (
    <ul className="plain-list">
      {checks.map((check) => (
        <li key={check.id} className="run-row">
          <Group gap="xs" wrap="nowrap" align="flex-start">
            <Mark check={check} />
            <Stack gap={2} className="grow">
              <Text size="sm" className="breakable" dir="auto">
                {checkWords(check)}
              </Text>
              <Text size="xs" c="dimmed" className="breakable" dir="auto">
                {aboutOf(check, deliverables)}
              </Text>
              <Proof check={check} />
              <ArtifactLinks runId={runId} artifacts={check.proof?.artifacts ?? []} titles={titles} />
            </Stack>
          </Group>
        </li>
      ))}
    </ul>
  );
}

function Mark({ check: { proof } }: { readonly check: RunCheck }) {
  const common = { size: 18, role: "img" } as const;
  if (proof === null)
    return <IconCircleDashed {...common} className="unshrinkable faint" aria-label="Not looked at yet" />;
  return proof.is_green ? (
    <IconCircleCheckFilled {...common} className="unshrinkable run-green" aria-label="Green" />
  ) : (
    <IconCircleXFilled {...common} className="unshrinkable run-red" aria-label="Red" />
  );
}

function Proof({ check: { proof } }: { readonly check: RunCheck }) {
  if (proof === null) return null;
  return (
    <Text size="xs" className={`breakable ${proof.is_green ? "run-green" : "run-red"}`} dir="auto">
      Seen in iteration {proof.iteration}: {proof.seen}
    </Text>
  );
}

function aboutOf({ given_by: by, deliverable_id: id }: RunCheck, deliverables: Run["deliverables"]): string {
  const deliverable = deliverables.find((each) => each.id === id);
  return deliverable ? `${givenByWords[by]}, for “${deliverable.title}”` : givenByWords[by];
}
