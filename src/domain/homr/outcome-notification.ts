// What the owner of an outcome is told: a question, or that the outcome was achieved or cannot go on. A question leads to the place
// where it can be answered, and carries its options for channels that have buttons.

import type { Notification } from "../notification.ts";
import type { Outcome } from "./outcome.ts";
import type { Escalation } from "./questions/escalation.ts";

const messageMax = 300;
/** As much of a question as a message of a chat has room for. */
const questionMax = 600;
const optionMax = 100;

const outcomePage = ({ id }: Pick<Outcome, "id">): string => `/outcomes/${id}`;

/** An escalation, as notifications name it. */
export const aboutEscalation = ({ id }: Pick<Escalation, "id">): string => `escalation:${id}`;

export function notifyOfEscalation(outcome: Outcome, escalation: Escalation): Notification {
  const { id, question, options } = escalation;
  return {
    userId: outcome.userId,
    about: aboutEscalation(escalation),
    event: "escalation",
    title: "HOMЯ needs your decision",
    message: cutText(`${outcome.name}: ${question}`, messageMax),
    actionUrl: `${outcomePage(outcome)}?escalation=${id}`,
    data: {
      outcome_id: outcome.id,
      escalation_id: id,
      name: outcome.name,
      questions: [
        {
          id,
          text: cutText(question, questionMax),
          options: options.map((option) => ({ id: option.id, label: cutText(option.label, optionMax) })),
        },
      ],
    },
  };
}

const ends = {
  achieved: { event: "outcome_achieved", title: "Outcome achieved" },
  stopped: { event: "outcome_stopped", title: "Outcome stopped" },
} as const;

/** `why`: what came of it, in a sentence. */
export const notifyOfEnd = (outcome: Outcome, end: keyof typeof ends, why: string): Notification => ({
  userId: outcome.userId,
  about: `outcome:${outcome.id}`,
  event: ends[end].event,
  title: ends[end].title,
  message: cutText(`${outcome.name}: ${why}`, messageMax),
  actionUrl: outcomePage(outcome),
  data: { outcome_id: outcome.id, status: outcome.status, name: outcome.name },
});

const cutText = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`;
