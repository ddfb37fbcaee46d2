// Answers in words, all of them at once: the run is not asked to guess the rest.

import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type Run, routes } from "../../../../../src/protocol/api.ts";
import type { Question } from "../../../../../src/protocol/run-view.ts";
import { api } from "../../../lib/api.ts";
import { useAway } from "../../../lib/use-away.ts";
import { useDraft } from "../../../lib/use-draft.ts";
import { LazyMarkdown } from "../../../ui/lazy-markdown.tsx";
import { showDone } from "../../../ui/toast.ts";
import { useRunCommand } from "../controls/use-run-command.ts";
import { useRun } from "../run-context.tsx";
import { AnswerBar, ApprovalBar } from "./answer-bar.tsx";
import { type Answers, missingAnswers, noAnswer, readAnswers, toBody } from "./answers.ts";
import { keepLines, PlainQuestion } from "./plain-question.tsx";
import { PlanQuestion } from "./plan-question.tsx";
import { pendingWritesQuery } from "./staged-queries.ts";

type AnswerFormProps = { readonly questions: readonly Question[]; readonly hasWrites: boolean };

export function AnswerForm({ questions, hasWrites }: AnswerFormProps) {
  const { run, view } = useRun();
  const draft = useDraft(`homework-answers:${run.id}:${view.iteration}`, readAnswers);
  const answers = draft.value;
  const pending = useQuery({ ...pendingWritesQuery(run.id), enabled: hasWrites });
  const respond = useRespond(questions, draft.forget);
  const plan = questions.find(({ kind }) => kind === "approve_plan");
  const lone = questions.length === 1 ? questions.find(({ kind }) => kind === "approve_checks") : undefined;
  const approval = plan ?? lone;
  const plain = questions.filter((question) => question !== approval);
  const away = useAway();
  const off = away ?? whyNot(plain, answers);
  const openWrites = hasWrites ? (pending.data?.length ?? 1) : 0;
  const send = (given: Answers) => {
    if (off === null && openWrites === 0) respond.mutate(given);
  };
  return (
    <>
      <Stack gap="lg">
        {plan ? <PlanQuestion question={plan} /> : null}
        {lone ? (
          <div className="question" dir="auto">
            <LazyMarkdown text={keepLines(lone.text)} />
          </div>
        ) : null}
        {plain.map((question) => (
          <PlainQuestion
            key={question.id}
            question={question}
            answer={answers[question.id] ?? noAnswer}
            onAnswer={(answer) => draft.change({ ...answers, [question.id]: answer })}
            onSend={() => (approval ? undefined : send(answers))}
          />
        ))}
      </Stack>
      {openWrites > 0 ? null : approval ? (
        <ApprovalBar
          about={plan ? "plan" : "checks"}
          answer={answers[approval.id] ?? noAnswer}
          offBecause={off}
          isBusy={respond.isPending}
          onAnswer={(answer) => draft.change({ ...answers, [approval.id]: answer })}
          onSend={(answer) => send({ ...answers, [approval.id]: answer })}
        />
      ) : (
        <AnswerBar count={questions.length} offBecause={off} isBusy={respond.isPending} onSend={() => send(answers)} />
      )}
    </>
  );
}

function useRespond(questions: readonly Question[], onSent: () => void) {
  const { run } = useRun();
  return useRunCommand<Answers, Run>({
    attempted: "answered",
    isOnce: true,
    send: (given) =>
      api(routes.runs.respond, { params: { runId: run.id }, body: { answers: toBody(questions, given) } }),
    runOf: (answered) => answered,
    onDone: () => {
      onSent();
      showDone("Answer sent. The run has resumed.");
    },
  });
}

function whyNot(questions: readonly Question[], answers: Answers): string | null {
  const missing = missingAnswers(questions, answers);
  if (missing === 0) return null;
  return missing === 1 ? "One answer is missing" : `${missing} answers are missing`;
}
