// What the platform checked, and what it saw: passed, failed or pending, each with its proof.

import { Group, Stack, Text } from "@mantine/core";
import { IconCircleCheck, IconCircleDashed, IconCircleX } from "@tabler/icons-react";
import type { RunReport } from "../../../../../src/protocol/api.ts";
import { passedWords, wordsOf } from "../../../../../src/protocol/report-markdown.ts";
import { ReportSection } from "./report-section.tsx";

type Checks = RunReport["checks"];

export function ReportChecks({ report }: { readonly report: RunReport }) {
  const { checks } = report;
  if (checks.length === 0) return null;
  return (
    <ReportSection title={wordsOf(report).checks}>
      <Text mb="xs">{passedWords(report)}</Text>
      <Stack component="ul" gap="sm" className="plain-list">
        {keyed(checks).map(({ key, check }) => (
          <CheckLine key={key} check={check} state={wordsOf(report)[check.state]} />
        ))}
      </Stack>
    </ReportSection>
  );
}

/** A check in a report has no id; its place among the others is one, for they never move. */
const keyed = (checks: Checks) => checks.map((check, place) => ({ key: `${place}`, check }));

const looks = {
  passed: { Icon: IconCircleCheck, color: "var(--mantine-color-green-text)" },
  failed: { Icon: IconCircleX, color: "var(--mantine-color-red-text)" },
  pending: { Icon: IconCircleDashed, color: "var(--mantine-color-dimmed)" },
} as const;

function CheckLine({ check, state }: { readonly check: Checks[number]; readonly state: string }) {
  const { Icon, color } = looks[check.state];
  return (
    <Group component="li" gap="xs" wrap="nowrap" align="flex-start">
      <Icon size={20} color={color} className="unshrinkable" role="img" aria-label={state} />
      <div className="grow">
        <Text className="breakable report-check" dir="auto">
          {check.about || check.check.replaceAll("_", " ")}
        </Text>
        {check.seen === "" ? null : (
          <Text size="sm" c="dimmed" className="breakable" dir="auto">
            {check.seen}
          </Text>
        )}
      </div>
    </Group>
  );
}
