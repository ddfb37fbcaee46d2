// What HOMЯ saw in one finished task: its verdict, what went off course and on what evidence, and what others can learn from it.

import { Badge, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Observation } from "../../../../../src/protocol/api.ts";
import { observationQuery } from "../../../lib/data/homr.ts";
import { AnchorLink } from "../../../ui/links.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { wordsOf } from "../../../ui/wording.ts";
import { useOutcome } from "../outcome-context.tsx";
import { driftWords, verdictColor, verdictWords } from "./activity-words.ts";

export function ObservationDetails({ observationId }: { readonly observationId: string }) {
  const { id } = useOutcome();
  const query = useQuery(observationQuery(id, observationId));
  return <QueryView query={query}>{(observation) => <Whole observation={observation} />}</QueryView>;
}

type ObservationProps = { readonly observation: Observation };

function Whole({ observation }: ObservationProps) {
  return (
    <Stack gap={6}>
      <Group gap="xs">
        <Badge size="sm" variant="light" tt="none" color={verdictColor(observation)}>
          {verdictWords(observation)}
        </Badge>
        <AnchorLink size="sm" to="." search={{ task: observation.task_id }} resetScroll={false}>
          Task #{observation.task_number}, attempt {observation.attempt}
        </AnchorLink>
      </Group>
      <Text size="sm" className="breakable" dir="auto">
        {observation.summary}
      </Text>
      <ObservationFindings observation={observation} />
    </Stack>
  );
}

/** What the verdict follows from. */
export function ObservationFindings({ observation }: ObservationProps) {
  const { drift, issues, discoveries, decisions, ambiguity } = observation;
  return (
    <Stack gap={6}>
      <Origin observation={observation} />
      <Findings title="Off course" lines={drift.map((item) => ({ ...item, word: driftWords[item.type] }))} />
      <Findings title="Issues" lines={issues.map((item) => ({ ...item, word: null }))} />
      <Learnt title="Discoveries" lines={discoveries.map(({ type, content }) => `${wordsOf(type)}: ${content}`)} />
      <Learnt title="Decisions the task made" lines={decisions.map(({ content }) => content)} />
      {ambiguity === null ? null : (
        <Learnt title="Left open" lines={[ambiguity.description, ...ambiguity.evidence.map((line) => `“${line}”`)]} />
      )}
    </Stack>
  );
}

function Origin({ observation }: ObservationProps) {
  const notes = [
    observation.observed_by === "rules" ? "No model could be asked: this was written by rules." : null,
    observation.is_tainted ? "The task read text from outside. It cannot change permissions." : null,
  ].filter((note) => note !== null);
  return notes.map((note) => (
    <Text key={note} size="xs" c="dimmed">
      {note}
    </Text>
  ));
}

type Finding = {
  readonly word: string | null;
  readonly severity: string;
  readonly description: string;
  readonly evidence: string;
};

function Findings({ title, lines }: { readonly title: string; readonly lines: readonly Finding[] }) {
  return (
    <Section title={title} count={lines.length}>
      {lines.map(({ word, severity, description, evidence }) => (
        <li key={description}>
          <Text span size="sm" className="breakable" dir="auto">
            {word === null ? wordsOf(severity) : `${word}, ${severity}`}: {description}
          </Text>
          {evidence === "" ? null : (
            <Text size="xs" c="dimmed" className="breakable" dir="auto">
              Evidence: {evidence}
            </Text>
          )}
        </li>
      ))}
    </Section>
  );
}

function Learnt({ title, lines }: { readonly title: string; readonly lines: readonly string[] }) {
  return (
    <Section title={title} count={lines.length}>
      {lines.map((line) => (
        <li key={line}>
          <Text span size="sm" className="breakable" dir="auto">
            {line}
          </Text>
        </li>
      ))}
    </Section>
  );
}

type SectionProps = { readonly title: string; readonly count: number; readonly children: ReactNode };

function Section({ title, count, children }: SectionProps) {
  if (count === 0) return null;
  return (
    <div>
      <Text size="xs" fw={600}>
        {title}
      </Text>
      <ul className="outcome-criteria">{children}</ul>
    </div>
  );
}
