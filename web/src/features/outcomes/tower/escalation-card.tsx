// One question of HOMЯ: what it is about, why it is asked, what it holds up, and every way to answer it.

import { Anchor, Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconMessageQuestion } from "@tabler/icons-react";
import { useEffect, useId, useRef } from "react";
import type { Escalation } from "../../../../../src/protocol/api.ts";
import { useDraft } from "../../../lib/use-draft.ts";
import { AnchorLink } from "../../../ui/links.tsx";
import { Time } from "../../../ui/time.tsx";
import { optionLabel, pausedWords, readAnswer } from "./escalation-answer.ts";
import { EscalationForm } from "./escalation-form.tsx";
import { ProposedAnswer } from "./proposed-answer.tsx";

type EscalationCardProps = { readonly escalation: Escalation; readonly isNamed: boolean };

export function EscalationCard({ escalation, isNamed }: EscalationCardProps) {
  const titleId = useId();
  const card = useRef<HTMLElement>(null);
  const draft = useDraft(`homework-escalation:${escalation.id}`, readAnswer);
  // Someone who was led here wants to see this question and no other.
  useEffect(() => {
    if (!isNamed) return;
    card.current?.scrollIntoView({ block: "start" });
    card.current?.focus({ preventScroll: true });
  }, [isNamed]);
  return (
    <Paper
      withBorder
      p="md"
      component="section"
      aria-labelledby={titleId}
      className="outcome-needs-you"
      ref={card}
      tabIndex={-1}
    >
      <Stack gap="sm">
        <Heading escalation={escalation} titleId={titleId} />
        {draft.value.isThinking ? (
          <Group justify="space-between">
            <Text size="sm">You are thinking about it. The question stays open and has no deadline.</Text>
            <Button size="xs" onClick={() => draft.change({ ...draft.value, isThinking: false })}>
              Answer now
            </Button>
          </Group>
        ) : (
          <>
            <WhyAsked escalation={escalation} />
            {escalation.proposed === null ? null : (
              <ProposedAnswer escalation={escalation} proposed={escalation.proposed} />
            )}
            <EscalationForm escalation={escalation} draft={draft} />
          </>
        )}
      </Stack>
    </Paper>
  );
}

function Heading({ escalation, titleId }: { readonly escalation: Escalation; readonly titleId: string }) {
  const { question, trigger, created_at: at } = escalation;
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start">
      <IconMessageQuestion size={24} aria-hidden className="unshrinkable" />
      <div className="grow">
        <Text size="sm" fw={600} c="dimmed">
          Your decision is needed · HOMЯ asked <Time at={at} />
        </Text>
        <Title order={2} size="h4" id={titleId} className="breakable" dir="auto">
          {question.text}
        </Title>
        {trigger.task_id === null ? null : (
          <Text size="sm">
            About{" "}
            <AnchorLink size="sm" to="." search={{ task: trigger.task_id }} resetScroll={false}>
              task #{trigger.task_number}
            </AnchorLink>
          </Text>
        )}
      </div>
    </Group>
  );
}

function WhyAsked({ escalation }: { readonly escalation: Escalation }) {
  const { question, trigger, deadline, default_option: chosen } = escalation;
  const [isOpen, { toggle }] = useDisclosure(false);
  const id = useId();
  return (
    <Stack gap={6}>
      {question.text.startsWith(question.context) ? null : (
        <Text size="sm" className="pre-wrap" dir="auto">
          {question.context}
        </Text>
      )}
      <Text size="sm">{pausedWords(escalation)}</Text>
      {deadline === null || chosen === null ? null : (
        <Text size="sm" fw={600} className="breakable">
          Without an answer, “{optionLabel(escalation, chosen)}” is chosen <Time at={deadline} />.
        </Text>
      )}
      {trigger.evidence.length === 0 ? null : (
        <div>
          <Anchor component="button" type="button" size="sm" onClick={toggle} aria-expanded={isOpen} aria-controls={id}>
            {isOpen ? "Hide the evidence" : "Show the evidence"}
          </Anchor>
          <ul className="outcome-criteria" id={id} hidden={!isOpen}>
            {trigger.evidence.map((line) => (
              <li key={line}>
                <Text span size="sm" className="breakable" dir="auto">
                  {line}
                </Text>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Stack>
  );
}
