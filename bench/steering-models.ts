// The models of a simulated outcome: an observer and a reviewer that see some of what is true, miss some, and see what is not there. They
// are asked with the product's own prompts, and paid for every character of them.

import { everyTask } from "../src/domain/homr/observe/observation.ts";
import type { ModelOutcome, ModelRequest, Models } from "../src/llm/model.ts";
import type { EscalationView } from "../src/prompts/escalation-prompt.ts";
import type { ObserverView } from "../src/prompts/observer-prompt.ts";
import type { OutcomeReviewView } from "../src/prompts/outcome-review-prompt.ts";
import { type Needed, type OutcomePlan, taskCount } from "./steering-plan.ts";
import type { Tried, Truth, Wrong } from "./steering-truth.ts";

/** Micro-dollars for a token. */
export type Price = { readonly input: number; readonly output: number };
export type Prices = { readonly worker: Price; readonly observer: Price };

/** Four characters count as one, as in `tokens`. */
export const charsPerToken = 4;
/** What a structured answer has, generously. */
const answerTokens = 800;

export const priceOf = ({ input, output }: Price, chars: number, outputTokens: number): number =>
  Math.ceil((chars / charsPerToken) * input + outputTokens * output);

type Seeing = {
  readonly plan: OutcomePlan;
  readonly truth: Truth;
  readonly prices: Prices;
  readonly triedIn: (number: number, attempt: number) => Tried | null;
};

export function steeringModels(seeing: Seeing): Models {
  const priceFor = ({ role }: ModelRequest) => (role === "observer" ? seeing.prices.observer : seeing.prices.worker);
  const costOf = (request: ModelRequest) => priceOf(priceFor(request), charsOf(request), answerTokens);
  return {
    chainOf: () => [{ provider: "simulated", id: "simulated/model", isDemo: false }],
    isPriced: () => true,
    reservationOf: (_model, request) => costOf(request),
    call: async (_model, request): Promise<ModelOutcome> => ({
      kind: "answered",
      answer: { text: JSON.stringify(answer(seeing, request)), toolCalls: [], native: null },
      usage: {
        costMicroUsd: costOf(request),
        inputTokens: Math.ceil(charsOf(request) / charsPerToken),
        cachedTokens: 0,
        writtenTokens: 0,
        outputTokens: answerTokens,
        pricedBy: "provider",
      },
    }),
  };
}

const charsOf = ({ system, messages }: ModelRequest): number =>
  system.length + messages.reduce((sum, each) => sum + ("text" in each ? each.text.length : 0), 0);

type View = ObserverView | EscalationView | OutcomeReviewView;

function answer(seeing: Seeing, { view }: ModelRequest): object {
  const asked = view as View;
  switch (asked.kind) {
    case "observer":
      return observe(seeing, asked);
    case "escalation": {
      const option = (id: string) => ({ id, label: `Take ${id}`, description: "", implications: "The others follow" });
      return { question: asked.need.question || "Which way?", options: [option("the first"), option("the second")] };
    }
    case "outcome_review":
      return review(seeing, asked);
    default:
      throw new Error("nothing else is asked of these models");
  }
}

const notices: Readonly<Record<Wrong, "seesDrift" | "seesInherited" | "seesGuess">> = {
  drift: "seesDrift",
  inherited: "seesInherited",
  guess: "seesGuess",
};

function observe({ plan, triedIn }: Seeing, { state, taskId, attempt, result }: ObserverView): object {
  const { luck, chances } = plan;
  const number = state.tasks.find(({ id }) => id === taskId)?.number ?? 0;
  const tried = triedIn(number, attempt);
  const lot = (what: string) => luck("observer", what, number, attempt);
  const isWrong = tried?.wrong != null ? lot("wrong") < chances[notices[tried.wrong]] : isFalse(tried);
  function isFalse(seen: Tried | null): boolean {
    return seen !== null && !seen.hasFailed && lot("false drift") < chances.falseDrift;
  }
  const isGood = result === "completed" && !isWrong;
  const openNumbers = state.tasks.filter(({ status }) => status === "pending" || status === "running");
  const someOpen = openNumbers[Math.floor(lot("some task") * openNumbers.length)]?.number;
  return {
    onTrack: isGood,
    alignmentScore: isGood ? 70 + Math.floor(lot("score") * 30) : 30 + Math.floor(lot("score") * 25),
    quality: isGood ? "good" : "needs_work",
    drift: isWrong
      ? [
          {
            type: "missed_requirement",
            description: `It is not what #${number} asks for`,
            severity: "high",
            evidence: "",
          },
        ]
      : [],
    issues: [],
    discoveries: [
      ...(tried?.named ?? [])
        .filter(({ text }) => lot(text) < chances.seesFact)
        .map((fact) => discovery(fact.text, namedTasks(plan, fact, lot))),
      ...(lot("false fact") < chances.falseFact && someOpen !== undefined
        ? [discovery(`Something that nobody needs, seen in #${number}.${attempt}`, [someOpen])]
        : []),
    ],
    decisions: [],
    wishes: [],
    ambiguity: doubtOf(plan, tried, lot, someOpen),
    summary: isGood ? "It does what was asked" : "It has to be done otherwise",
  };
}

const discovery = (content: string, relevantTasks: readonly (number | typeof everyTask)[]) => ({
  type: "constraint",
  content,
  relevantTasks,
  source: "the end of the output",
});

type Lot = (what: string) => number;

/** Some of those that need it; where it cannot tell, all. */
function namedTasks(
  { chances }: OutcomePlan,
  { tasks, text }: Needed,
  lot: Lot,
): readonly (number | typeof everyTask)[] {
  if (lot(`all ${text}`) < 0.25) return [everyTask];
  return tasks.filter((number) => lot(`names ${number} ${text}`) < chances.namesTask);
}

function doubtOf({ chances }: OutcomePlan, tried: Tried | null, lot: Lot, someOpen: number | undefined): object | null {
  const point = tried?.guessed.find(({ text }) => lot(`doubt ${text}`) < chances.seesDoubt);
  if (point !== undefined)
    return {
      type: "multiple_approaches",
      description: `It is not said what ${point.subject} shall be`,
      evidence: [`I am not sure about ${point.subject}`],
      affectedTasks: point.tasks.filter((number) => lot(`affects ${number} ${point.text}`) < chances.namesTask),
      suggestedQuestion: `What shall ${point.subject} be?`,
    };
  if (someOpen === undefined || lot("false doubt") >= chances.falseDoubt) return null;
  const said = "A doubt that a competent worker would have settled";
  return {
    ...{ type: "multiple_approaches", description: said, evidence: [said], suggestedQuestion: `${said}?` },
    affectedTasks: [someOpen],
  };
}

function review({ plan, truth }: Seeing, { cycle }: OutcomeReviewView): object {
  const { luck, chances } = plan;
  const numbers = Array.from({ length: taskCount }, (_, n) => n + 1);
  const found = numbers.filter((number) => (truth.works.get(number) ?? null) !== null);
  const seen = found.filter((number) => luck("review", cycle, number) < chances.reviews);
  const right = numbers.filter((number) => truth.works.get(number) === null);
  const isFalse = right.length > 0 && luck("false finding", cycle) < chances.falseFinding;
  const wrongly = isFalse ? right.slice(0, 1) : [];
  return {
    findings: [...seen, ...wrongly].map((number) => ({
      description: `The work on #${number} is not what was wanted`,
      severity: "high",
      evidence: "",
    })),
    summary: "Read everything against the success criteria",
  };
}
