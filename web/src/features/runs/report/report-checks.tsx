// What the platform checked, and what it saw: green or not, each with its proof.

import { Group, Stack, Text } from "@mantine/core";
import { IconCircleCheck, IconCircleX } from "@tabler/icons-react";
import type { RunReport } from "../../../../../src/protocol/api.ts";
import { ReportSection } from "./report-section.tsx";

type Checks = RunReport["checks"];

export function ReportChecks({ checks }: { readonly checks: Checks }) {
  if (checks.length === 0) return null;
  return (
    <ReportSection title="Checks">
      <Stack component="ul" gap="sm" className="plain-list">
        {keyed(checks).map(({ key, check }) => (
          <CheckLine key={key} check={check} />
        ))}
      </Stack>
    </ReportSection>
  );
}

/** A check in a report has no id; its place among the others is one, for they never move. */
const keyed = (checks: Checks) => checks.map((check, place) => ({ key: `${place}`, check }));

function CheckLine({ check }: { readonly check: Checks[number] }) {
  const Icon = check.is_green ? IconCircleCheck : IconCircleX;
  const color = check.is_green ? "var(--mantine-color-green-text)" : "var(--mantine-color-red-text)";
  return (
    <Group component="li" gap="xs" wrap="nowrap" align="flex-start">
      <Icon size={20} color={color} className="unshrinkable" role="img" aria-label={check.is_green ? "Green" : "Red"} />
      <div className="grow">
        <Text className="breakable report-check" dir="auto">
          {check.about || check.check.replaceAll("_", " ")}
        </Text>
        <Text size="sm" c="dimmed" className="breakable" dir="auto">
          Seen: {check.seen}
        </Text>
      </div>
    </Group>
  );
}
