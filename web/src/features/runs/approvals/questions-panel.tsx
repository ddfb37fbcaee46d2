// What the run needs from its user before it goes on: questions, a word on its plan, a word on what it would write.

import { Paper, Stack, Text, Title } from "@mantine/core";
import type { Question } from "../../../../../src/protocol/run-view.ts";
import { useRun } from "../run-context.tsx";
import { AnswerForm } from "./answer-form.tsx";
import { WritesApproval } from "./writes-approval.tsx";

export function QuestionsPanel({ questions }: { readonly questions: readonly Question[] }) {
  const { view } = useRun();
  const inWords = questions.filter(({ kind }) => kind !== "approve_writes");
  const hasWrites = inWords.length < questions.length;
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="needs-you" className="run-needs-you">
      <Stack>
        <div>
          <Title order={2} size="h4" id="needs-you">
            The run needs you
          </Title>
          <Text size="sm" c="dimmed">
            Paused at no cost until you answer.
          </Text>
        </div>
        {hasWrites ? <WritesApproval isAlone={inWords.length === 0} /> : null}
        {inWords.length > 0 ? (
          // Another set of questions begins with empty answers.
          <AnswerForm
            key={`${view.iteration}:${questions.map(({ id }) => id).join()}`}
            questions={inWords}
            hasWrites={hasWrites}
          />
        ) : null}
      </Stack>
    </Paper>
  );
}
