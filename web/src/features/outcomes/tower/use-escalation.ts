// What a person does with a question of HOMЯ.

import type { Escalation } from "../../../../../src/protocol/api.ts";
import { routes } from "../../../../../src/protocol/api.ts";
import { counted } from "../../../../../src/protocol/figures.ts";
import { api } from "../../../lib/api.ts";
import { showDone } from "../../../ui/toast.ts";
import { useOutcomeCommand } from "../use-outcome-command.ts";
import { type AnswerDraft, toAnswerBody } from "./escalation-answer.ts";

const paramsOf = ({ id, outcome_id: outcomeId }: Escalation) => ({ params: { outcomeId, escId: id } });

type Answered = { readonly resumed_tasks: readonly string[] };

const resumedWords = ({ resumed_tasks: resumed }: Answered): string =>
  resumed.length === 0 ? "" : ` ${counted(resumed.length, "task")} resumed.`;

export function useAnswer(escalation: Escalation, onDone: () => void) {
  return useOutcomeCommand({
    failure: "Your answer was not taken",
    send: (draft: AnswerDraft) =>
      api(routes.escalations.answer, { ...paramsOf(escalation), body: toAnswerBody(draft) }),
    onDone: (answered) => {
      onDone();
      showDone(`Answer sent.${resumedWords(answered)}`);
    },
  });
}

export function useDismiss(escalation: Escalation, onDone: () => void) {
  return useOutcomeCommand({
    failure: "The question was not dismissed",
    send: (why: string) => api(routes.escalations.dismiss, { ...paramsOf(escalation), body: { why } }),
    onDone: (answered) => {
      onDone();
      showDone(`Question dismissed.${resumedWords(answered)}`);
    },
  });
}

export function useThink(escalation: Escalation, onDone: () => void) {
  return useOutcomeCommand({
    failure: "The deadline was not removed",
    send: () => api(routes.escalations.think, paramsOf(escalation)),
    onDone,
  });
}

export function useConfirm(escalation: Escalation) {
  return useOutcomeCommand({
    failure: "The suggestion was not accepted",
    send: () => api(routes.escalations.confirm, paramsOf(escalation)),
    onDone: (answered) => showDone(`Suggestion accepted.${resumedWords(answered)}`),
  });
}

export function useReject(escalation: Escalation) {
  return useOutcomeCommand({
    failure: "The suggestion was not rejected",
    send: () => api(routes.escalations.reject, paramsOf(escalation)),
    onDone: () => showDone("Suggestion rejected. The question waits for your answer."),
  });
}
