// What is true in a simulated outcome, whatever anyone says of it: which work is wrong and why, what each attempt met and said. The worker
// decides here how an attempt goes, by what its prompt tells it; observer, reviewer and person look here for what they could see.

import type { OutcomeTask } from "../src/domain/homr/tasks/task.ts";
import { type Chances, type Needed, type OutcomePlan, taskCount } from "./steering-plan.ts";

export type Wrong = "drift" | "inherited" | "guess";

export type Tried = {
  readonly number: number;
  readonly attempt: number;
  readonly hasFailed: boolean;
  /** Facts that it met without having been told. */
  readonly met: readonly Needed[];
  /** Of those, what it says. */
  readonly named: readonly Needed[];
  /** Points that it had to guess. */
  readonly guessed: readonly Needed[];
  /** What is wrong with the work now; null: it is right. */
  readonly wrong: Wrong | null;
  /** Parts of the cost of a usual attempt. */
  readonly effort: number;
};

/** Looking for where the mistake is costs less than the first work, and is done for each piece. */
const mendingEffort = 0.6;
/** For something that was not wrong. */
const vainEffort = 0.2;

export class Truth {
  readonly #plan: OutcomePlan;
  /** Of the tasks that were planned and completed: what is wrong with their work. */
  readonly works = new Map<number, Wrong | null>();
  /** What workers on a task have met; whoever builds on its work may read it there. */
  readonly #met = new Map<number, readonly Needed[]>();

  constructor(plan: OutcomePlan) {
    this.#plan = plan;
  }

  /** Points that this attempt is in doubt about and asks its user itself, before it works. */
  findAsked(task: OutcomeTask, prompt: string): readonly Needed[] {
    const { luck, chances } = this.#plan;
    return this.#unknown(this.#plan.points, task, prompt).filter(
      ({ text }) => luck("asks", task.number, task.attempts, text) < chances.asks,
    );
  }

  /** `target`: the task that it corrects; null: it corrects none. */
  try(task: OutcomeTask, prompt: string, target: number | null): Tried {
    if (task.number <= taskCount) return this.#work(task, prompt);
    const meant = target === null ? numbersIn(task.description) : [target];
    return this.#mend(task, meant);
  }

  #unknown(needed: readonly Needed[], { number }: OutcomeTask, prompt: string): readonly Needed[] {
    return needed.filter(({ tasks, text }) => tasks.includes(number) && !prompt.includes(text));
  }

  #work(task: OutcomeTask, prompt: string): Tried {
    const { luck, chances, facts, points } = this.#plan;
    const { number, attempts } = task;
    const lot = (what: string, ...more: readonly string[]) => luck(what, number, attempts, ...more);
    const met = this.#unknown(facts, task, prompt).filter((fact) => !this.#hasRead(number, fact));
    const guessed = this.#unknown(points, task, prompt);
    const base = this.#plan.dependsOn.get(number) ?? [];
    const isOnWrong = base.some((other) => (this.works.get(other) ?? null) !== null);
    const hasFailed =
      lot("fails") < chances.fails ||
      met.some(({ text }) => lot("without", text) < chances.failsWithoutFact) ||
      (isOnWrong && lot("on wrong") < chances.failsOnWrong);
    const isGuess = guessed.some(({ text }) => lot("guess", text) < chances.guessesWrong);
    const wrong = hasFailed ? null : findWrong(chances, lot, isOnWrong, isGuess);
    const named = hasFailed ? met.filter(({ text }) => lot("names", text) < chances.names) : met;
    this.#met.set(number, [...(this.#met.get(number) ?? []), ...named]);
    if (!hasFailed) this.works.set(number, wrong);
    return {
      ...{ number, attempt: attempts, hasFailed, met, named, guessed },
      wrong,
      effort: !hasFailed && met.length > 0 ? 1.5 : 1,
    };
  }

  #hasRead(number: number, fact: Needed): boolean {
    const { dependsOn, luck, chances } = this.#plan;
    const hasMet = (other: number) => this.#met.get(other)?.includes(fact) ?? false;
    return (dependsOn.get(number) ?? []).some(hasMet) && luck("reads", number, fact.text) < chances.readsFact;
  }

  #mend({ number, attempts }: OutcomeTask, meant: readonly number[]): Tried {
    const { luck, chances } = this.#plan;
    const wrong = meant.filter((each) => (this.works.get(each) ?? null) !== null);
    const hasFailed = luck("fails", number, attempts) < chances.fails;
    if (!hasFailed)
      for (const each of wrong) if (luck("mends", number, attempts, each) < chances.mends) this.works.set(each, null);
    const effort = wrong.length * mendingEffort + (meant.length - wrong.length) * vainEffort;
    return {
      ...{ number, attempt: attempts, hasFailed, met: [], named: [], guessed: [], wrong: null },
      effort: Math.max(vainEffort, effort),
    };
  }
}

function findWrong(
  chances: Chances,
  lot: (what: string) => number,
  isOnWrong: boolean,
  isGuess: boolean,
): Wrong | null {
  if (lot("drift") < chances.drifts) return "drift";
  if (isOnWrong && lot("inherit") < chances.inherits) return "inherited";
  return isGuess ? "guess" : null;
}

/** As the review's findings name them. */
const numbersIn = (description: string): readonly number[] => [
  ...new Set([...description.matchAll(/work on #(\d+)/g)].map(([, number]) => Number(number))),
];
