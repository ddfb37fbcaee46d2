// What an answer, or a question that was dismissed, leaves behind for the workers: a decision for everyone to read and an injection for
// the tasks that were asked about. Words of a question may be a stranger's; what a person adds is that person's own.

import { clip } from "../../planner/clip.ts";
import type { Audience, Decision, Injection } from "../context/context.ts";
import type { HomrWorld, OutcomeState } from "../outcome-state.ts";
import { forgetReviews } from "../state-changes.ts";
import { patternArea } from "./escalate.ts";
import type { Escalation, EscalationAnswer, EscalationOption } from "./escalation.ts";
import { isPattern } from "./option-actions.ts";

const contentMax = 4_000;

export function rememberAnswer(
  state: OutcomeState,
  escalation: Escalation,
  option: EscalationOption,
  answer: EscalationAnswer,
  world: HomrWorld,
): OutcomeState {
  const { label, description } = option;
  const chosen = `${choosers[answer.by]}: ${label}`;
  const options = escalation.options.map((each, n) => `${n + 1}) ${each.label}`).join("; ");
  const question = `Question: ${escalation.question} (${options})`;
  const content = [question, chosen, ...(description === "" ? [] : [description])];
  const madeBy = answer.by === "human" ? "human" : "homr";
  const words = answer.additionalContext;
  const isNews = isFromWork(escalation) || words.trim() !== "";
  return remember(state, escalation, { content: content.join("\n"), madeBy, words, isNews }, world);
}

/** Otherwise the platform asked how to go on, which does not change what is wanted. */
const isFromWork = ({ observationId }: Escalation): boolean => observationId !== null;

const choosers = {
  human: "Chosen by the user",
  homr: "Chosen by HOMЯ",
  deadline: "Chosen because nobody answered in time",
} as const;

/** Workers are told, so that none waits for a decision that will not come. */
export function rememberDismissal(state: OutcomeState, escalation: Escalation, why: string, world: HomrWorld) {
  const content = `Question: ${escalation.question}\nDismissed without a decision. Use your best judgement, and say what you assumed.`;
  return remember(state, escalation, { content, madeBy: "human", words: why, isNews: why.trim() !== "" }, world);
}

type Remembered = Pick<Decision, "content" | "madeBy"> & {
  /** What the person added. */
  readonly words: string;
  /** The result is judged by it: a review that did not know of it counts as none. */
  readonly isNews: boolean;
};

function remember(state: OutcomeState, escalation: Escalation, said: Remembered, world: HomrWorld): OutcomeState {
  const { content, madeBy, words, isNews } = said;
  const { question, context, isWholeOutcome, affectedTasks, isTainted } = escalation;
  const audience: Audience = isWholeOutcome ? "every" : affectedTasks;
  const kept = { sourceTaskId: null, atMs: world.nowMs };
  const decision: Decision = {
    ...kept,
    id: world.newId(),
    content: clip(content, contentMax),
    isTainted,
    madeBy,
    context,
    affectedAreas: isPattern(escalation) ? [patternArea] : [],
  };
  const inject = (text: string, whose: boolean, to: Audience): Injection => ({
    ...kept,
    id: world.newId(),
    content: clip(text, contentMax),
    isTainted: whose,
    type: "decision",
    priority: "must_know",
    audience: to,
    reason: `Answer to: ${clip(question, 200)}`,
  });
  const injections = [
    ...(audience === "every" || audience.length > 0 ? [inject(content, isTainted, audience)] : []),
    // What a person says holds for all, those that come later among them.
    ...(words.trim() === "" ? [] : [inject(words.trim(), false, "every")]),
  ];
  const { decisions } = state.context;
  return {
    ...(isNews ? forgetReviews(state) : state),
    context: {
      ...state.context,
      decisions: [...decisions, decision],
      injections: [...state.context.injections, ...injections],
    },
  };
}
