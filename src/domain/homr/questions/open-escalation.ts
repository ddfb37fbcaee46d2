// Every question to a person is opened here: once for the same trigger and task, with its log line, its notification,
// and a model that may answer it where the owner allows that.

import type { Cause } from "../context/context.ts";
import type { HomrWorld, OutcomeEffect, OutcomeMove, OutcomeState } from "../outcome-state.ts";
import { logged } from "../state-changes.ts";
import { shorten } from "../tasks/task-list.ts";
import type { Escalation, EscalationTrigger } from "./escalation.ts";

/** Left out is what every new one has. */
export type NewEscalation = Omit<Escalation, "id" | "outcomeId" | "atMs" | "state">;

/** Only a person answers these, whatever the owner chose. */
const personsOnly: readonly EscalationTrigger[] = ["security", "gate", "budget"];

export const mayModelAnswer = ({ outcome }: OutcomeState, { trigger }: Pick<Escalation, "trigger">): boolean =>
  outcome.autoResolve.mode !== "manual" && !personsOnly.includes(trigger);

/** Pauses follow from it (`pausing.ts`). */
export function openEscalation(state: OutcomeState, asked: NewEscalation, cause: Cause, world: HomrWorld): OutcomeMove {
  if (isAsked(state, asked)) return { state, effects: [] };
  const { outcome, context, escalations } = state;
  const escalation: Escalation = {
    ...asked,
    id: world.newId(),
    outcomeId: outcome.id,
    atMs: world.nowMs,
    state: { status: "pending" },
  };
  const stats = { ...context.stats, escalationsCreated: context.stats.escalationsCreated + 1 };
  return {
    state: { ...state, escalations: [...escalations, escalation], context: { ...context, stats } },
    effects: [...tellOf(escalation, cause), ...askModel(state, escalation)],
  };
}

/** One that ended in this very move was just dealt with: asking it again at once would answer the answer with the question. */
const isAsked = ({ escalations }: OutcomeState, { trigger, triggerTaskId }: NewEscalation): boolean =>
  escalations.some((each) => each.trigger === trigger && each.triggerTaskId === triggerTaskId);

const tellOf = ({ id, question, trigger, triggerTaskId }: Escalation, cause: Cause): readonly OutcomeEffect[] => [
  logged({
    type: "escalation",
    taskId: triggerTaskId,
    cause,
    summary: `Asked: ${shorten(question, 300)}`,
    details: { escalation_id: id, trigger },
  }),
  { kind: "notify_owner", about: "escalation", id },
];

const askModel = (state: OutcomeState, escalation: Escalation): readonly OutcomeEffect[] =>
  mayModelAnswer(state, escalation) ? [{ kind: "resolve_escalation", escalationId: escalation.id }] : [];
