// What HOMЯ saw in an attempt: its verdict, and what the verdict follows from when asked for.

import { Anchor, Badge, Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { Observation } from "../../../../../src/protocol/api.ts";
import { verdictColor, verdictWords } from "../activity/activity-words.ts";
import { ObservationFindings } from "../activity/observation-details.tsx";

export function ObservationView({ observation }: { readonly observation: Observation }) {
  const [isOpen, { toggle }] = useDisclosure(false);
  return (
    <Stack gap={4} component="section" aria-label={`What HOMЯ saw in attempt ${observation.attempt}`}>
      <Group gap={6}>
        <Text size="sm" fw={600}>
          HOMЯ’s check
        </Text>
        <Badge variant="light" tt="none" color={verdictColor(observation)}>
          {verdictWords(observation)}
        </Badge>
      </Group>
      <Text size="sm" className="breakable" dir="auto">
        {observation.summary}
      </Text>
      {hasMore(observation) ? (
        <Anchor component="button" type="button" size="xs" ta="left" aria-expanded={isOpen} onClick={toggle}>
          {isOpen ? "Hide details" : `Show ${detailWords(observation)}`}
        </Anchor>
      ) : null}
      {isOpen || !hasMore(observation) ? <ObservationFindings observation={observation} /> : null}
    </Stack>
  );
}

const hasMore = (observation: Observation): boolean => detailWords(observation) !== "";

/** `2 problems, 1 discovery`. */
function detailWords({ drift, issues, discoveries, decisions, ambiguity }: Observation): string {
  return [
    ...part(drift.length + issues.length, "problem"),
    ...part(discoveries.length, "discovery", "discoveries"),
    ...part(decisions.length, "decision"),
    ...part(ambiguity === null ? 0 : 1, "doubt"),
  ].join(", ");
}

const part = (count: number, one: string, many = `${one}s`): string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
