// The ways to answer a question: an option with what follows from it, words of one's own, time to think, or no answer at all.

import { Badge, Button, Group, Paper, Radio, Stack, Text, Textarea } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useId } from "react";
import type { Escalation } from "../../../../../src/protocol/api.ts";
import { ownWords } from "../../../../../src/protocol/kinds.ts";
import { useAway } from "../../../lib/use-away.ts";
import { ControlButton } from "../../../ui/control-button.tsx";
import { DismissModal } from "./dismiss-modal.tsx";
import { type AnswerDraft, missingOf } from "./escalation-answer.ts";
import { useAnswer, useThink } from "./use-escalation.ts";

type Draft = {
  readonly value: AnswerDraft;
  readonly change: (value: AnswerDraft) => void;
  readonly forget: () => void;
};
type EscalationFormProps = { readonly escalation: Escalation; readonly draft: Draft };

export function EscalationForm({ escalation, draft }: EscalationFormProps) {
  const { value, change } = draft;
  const away = useAway();
  const answer = useAnswer(escalation, draft.forget);
  const off = away ?? missingOf(value);
  const isOwn = value.option === ownWords;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (off === null) answer.mutate(value);
      }}
    >
      <Stack gap="sm">
        <Options escalation={escalation} value={value.option} onChange={(option) => change({ ...value, option })} />
        <Textarea
          label={isOwn ? "Your answer" : "Anything to add? (optional)"}
          description={isOwn ? undefined : "The tasks read it together with your choice."}
          autosize
          minRows={isOwn ? 2 : 1}
          maxRows={10}
          maxLength={4_000}
          dir="auto"
          value={value.words}
          onChange={(event) => change({ ...value, words: event.currentTarget.value })}
        />
        <Group justify="space-between" gap="sm" className="outcome-answer">
          <OtherWays escalation={escalation} onThink={() => change({ ...value, isThinking: true })} />
          <ControlButton
            type="submit"
            says="Sends your answer. Paused tasks go on with it."
            offBecause={off}
            loading={answer.isPending}
          >
            Send answer
          </ControlButton>
        </Group>
      </Stack>
    </form>
  );
}

type OptionsProps = {
  readonly escalation: Escalation;
  readonly value: string | null;
  readonly onChange: (option: string) => void;
};

function Options({ escalation, value, onChange }: OptionsProps) {
  const { question, default_option: chosen, deadline, takes_own_words: takesOwn } = escalation;
  const name = useId();
  return (
    <Radio.Group name={name} value={value ?? ""} onChange={onChange} aria-label="Your choice">
      <Stack gap="xs">
        {question.options.map((option) => (
          <Paper key={option.id} withBorder p="sm">
            <Radio
              value={option.id}
              label={
                <Group gap="xs">
                  <Text span fw={600} className="breakable" dir="auto">
                    {option.label}
                  </Text>
                  {option.id === chosen && deadline !== null ? (
                    <Badge size="sm" variant="light" tt="none">
                      Default
                    </Badge>
                  ) : null}
                </Group>
              }
              description={<OptionText option={option} />}
            />
          </Paper>
        ))}
        {takesOwn ? (
          <Paper withBorder p="sm">
            <Radio
              value={ownWords}
              label={
                <Text span fw={600}>
                  Something else
                </Text>
              }
              description="Answer in your own words"
            />
          </Paper>
        ) : null}
      </Stack>
    </Radio.Group>
  );
}

function OptionText({ option }: { readonly option: Escalation["question"]["options"][number] }) {
  return (
    <Stack component="span" gap={2}>
      {option.description === "" ? null : (
        <Text component="span" size="sm" c="var(--mantine-color-text)" className="breakable" dir="auto">
          {option.description}
        </Text>
      )}
      {option.implications === "" ? null : (
        <Text component="span" size="sm" className="breakable" dir="auto">
          → {option.implications}
        </Text>
      )}
    </Stack>
  );
}

function OtherWays({ escalation, onThink }: { readonly escalation: Escalation; readonly onThink: () => void }) {
  const away = useAway();
  const think = useThink(escalation, onThink);
  const [isDismissing, { open, close }] = useDisclosure(false);
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <ControlButton
          variant="default"
          says="Keeps the question open and removes its deadline"
          offBecause={away}
          loading={think.isPending}
          onClick={() => think.mutate(undefined)}
        >
          Let me think
        </ControlButton>
        <Button variant="subtle" onClick={open}>
          Dismiss
        </Button>
      </Group>
      <Text size="xs" c="dimmed">
        Let me think: stays open, no deadline. Dismiss: tasks decide for themselves.
      </Text>
      {isDismissing ? <DismissModal escalation={escalation} onClose={close} /> : null}
    </Stack>
  );
}
