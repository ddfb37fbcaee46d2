// What the user says while a run works becomes steps of its own, so that it is not lost and can be seen to be done. Its words
// are kept in the step's title: later iterations are not told them again.

import type { PlannerView } from "../../domain/planner/view.ts";
import { plainWords, shorten } from "./phrase.ts";
import type { Step } from "./plan-steps.ts";

/** Longer messages are on the run's page; the plan keeps what they begin with. */
const saidMax = 300;
/** A plan has room for 40 steps. */
const stepsMax = 36;

const prefix = "said-";
export const isSaid = ({ id }: Step): boolean => id.startsWith(prefix);

export type TakenUp = { readonly steps: readonly Step[]; readonly words: readonly string[] };

/** Approvals of plans and writes are the platform's business, unless they say what to change. */
const isApproval = (questionId: string, text: string): boolean =>
  /approve/i.test(questionId) &&
  /^\s*(?:y(?:es)?|ok(?:ay)?|approved?|reject(?:ed)?|no|go|fine|ja|oui|sí?)\b[\s.!]*$/i.test(text);

/** One of the answers we offered ourselves says what to do next; it is nothing to write about. */
const isChoice = (questionId: string, text: string): boolean =>
  /cannot-go-on|beyond-the-rules|where-to-write|turned-down/.test(questionId) &&
  /^\s*(?:try again|leave it (?:out|open)|i will connect a model|i have restored it: go on|stop here|go on without them|approve|reject|no)\s*$/i.test(
    text,
  );

export const isToLeaveOut = ({ answers }: PlannerView): boolean =>
  answers.some(({ questionId, text }) => /cannot-go-on/.test(questionId) && /^\s*leave it out/i.test(text));

export function takeUp(view: PlannerView, steps: readonly Step[]): TakenUp {
  const answers = view.answers
    .filter(({ questionId, text }) => !isApproval(questionId, text) && !isChoice(questionId, text))
    .map(({ text }) => ({ text, title: "Take up your answer" }));
  const messages = view.steering.map((text) => ({ text, title: "Take up your message" }));
  const said = [...messages, ...answers]
    .map(({ text, title }) => ({ words: shorten(plainWords(text), saidMax), title }))
    .filter(({ words }) => words !== "");
  const before = steps.filter(isSaid).length;
  const room = Math.max(0, stepsMax - steps.length);
  const added = said.slice(0, room).map(
    ({ words, title }, n): Step => ({
      id: `${prefix}${before + n + 1}`,
      title: `${title}: “${words}”`,
      status: "pending",
      owner: "executor",
      optional: false,
      evidence: [],
    }),
  );
  return { steps: [...steps, ...added], words: said.map(({ words }) => words) };
}

/** The words in a step's title. */
export const saidIn = ({ title }: Step): string => /“(.*)”/s.exec(title)?.[1] ?? title;
