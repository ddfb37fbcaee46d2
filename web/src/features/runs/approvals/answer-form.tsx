// Answers in words, all of them at once: the run is not asked to guess the rest.

import { Group, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type Run, routes } from "../../../../../src/protocol/api.ts";
import type { Question } from "../../../../../src/protocol/run-view.ts";
import { api } from "../../../lib/api.ts";
import { useAway } from "../../../lib/use-away.ts";
import { useDraft } from "../../../lib/use-draft.ts";
import { showDone } from "../../../ui/toast.ts";
import { ControlButton } from "../controls/control-button.tsx";
import { useRunCommand } from "../controls/use-run-command.ts";
import { useRun } from "../run-context.tsx";
import { type Answers, missingAnswers, noAnswer, readAnswers, toBody } from "./answers.ts";
import { PlainQuestion } from "./plain-question.tsx";
import { PlanQuestion } from "./plan-question.tsx";
import { pendingWritesQuery } from "./staged-queries.ts";

type AnswerFormProps = { readonly questions: readonly Question[]; readonly hasWrites: boolean };

export function AnswerForm({ questions, hasWrites }: AnswerFormProps) {
  const { run, view } = useRun();
  const draft = useDraft(`homework-answers:${run.id}:${view.iteration}`, readAnswers);
  const answers = draft.value;
  const pending = useQuery({ ...pendingWritesQuery(run.id), enabled: hasWrites });
  const away = useAway();
  const respond = useRunCommand<Answers, Run>({
    attempted: "answered",
    send: (given) =>
      api(routes.runs.respond, { params: { runId: run.id }, body: { answers: toBody(questions, given) } }),
    runOf: (answered) => answered,
    onDone: () => {
      draft.forget();
      showDone("Your answer is with the run: it goes on");
    },
  });
  const openWrites = hasWrites ? (pending.data?.length ?? 1) : 0;
  const off = away ?? whyNot(questions, answers, openWrites);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (off === null) respond.mutate(answers);
      }}
    >
      <Stack gap="lg">
        {questions.map((question) => {
          const Field = question.kind === "approve_plan" ? PlanQuestion : PlainQuestion;
          return (
            <Field
              key={question.id}
              question={question}
              answer={answers[question.id] ?? noAnswer}
              onAnswer={(answer) => draft.change({ ...answers, [question.id]: answer })}
            />
          );
        })}
        <Group justify="flex-end">
          <ControlButton
            type="submit"
            says="Sends it to the run, which goes on with it; it cannot be taken back"
            offBecause={off}
            loading={respond.isPending}
          >
            {questions.length === 1 ? "Send the answer" : `Send all ${questions.length} answers`}
          </ControlButton>
        </Group>
      </Stack>
    </form>
  );
}

function whyNot(questions: readonly Question[], answers: Answers, openWrites: number): string | null {
  const missing = missingAnswers(questions, answers);
  if (missing > 0) return missing === 1 ? "One answer is missing" : `${missing} answers are missing`;
  return openWrites > 0 ? "First decide on the changes above" : null;
}
