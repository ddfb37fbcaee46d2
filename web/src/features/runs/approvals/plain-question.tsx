// One question of the run: its options to choose from, and room for words of one's own.

import { Chip, Group, Stack, Textarea } from "@mantine/core";
import { useId } from "react";
import { runLimits } from "../../../../../src/protocol/kinds.ts";
import type { Question } from "../../../../../src/protocol/run-view.ts";
import { LazyMarkdown } from "../../../ui/lazy-markdown.tsx";
import { plainWords } from "../../../ui/plain-words.ts";
import { isSendKey } from "../controls/send-key.ts";
import type { Answer } from "./answers.ts";

type QuestionFieldProps = {
  readonly question: Question;
  readonly answer: Answer;
  readonly onAnswer: (answer: Answer) => void;
  readonly onSend: () => void;
};

export function PlainQuestion({ question, answer, onAnswer, onSend }: QuestionFieldProps) {
  const id = useId();
  const hasOptions = question.options.length > 0;
  return (
    <Stack gap="xs" role="group" aria-labelledby={id}>
      <div id={id} className="question" dir="auto">
        <LazyMarkdown text={keepLines(question.text)} />
      </div>
      {hasOptions ? (
        <Group gap="xs" role="radiogroup" aria-labelledby={id}>
          {question.options.map((option) => (
            <Chip
              key={option}
              type="radio"
              name={id}
              variant="outline"
              classNames={{ root: "option", label: "option-label" }}
              checked={answer.option === option}
              onChange={() => onAnswer({ ...answer, option })}
            >
              <span dir="auto">{plainWords(option)}</span>
            </Chip>
          ))}
        </Group>
      ) : null}
      <Textarea
        label={hasOptions ? "More about it, or another answer" : "Your answer"}
        autosize
        minRows={hasOptions ? 1 : 2}
        maxRows={10}
        maxLength={runLimits.message}
        dir="auto"
        value={answer.words}
        onChange={(event) => onAnswer({ ...answer, words: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (!isSendKey(event)) return;
          event.preventDefault();
          onSend();
        }}
      />
    </Stack>
  );
}

/** A line break is one, as people write. */
export const keepLines = (text: string) => text.replaceAll(/(?<!\n)\n(?!\n)/g, "  \n");
