// The worker of a simulated outcome, as an engine of the real loop: one attempt is a run of at most three iterations. It reads the brief as
// the product writes it, and how it goes is decided by what stands there (`steering-truth.ts`). It is paid like a session of six calls
// that send the brief each time, so what HOMЯ adds to a prompt is paid for, too.

import { briefOf } from "../src/domain/homr/context/brief.ts";
import type { OutcomeState } from "../src/domain/homr/outcome-state.ts";
import type { OutcomeTask } from "../src/domain/homr/tasks/task.ts";
import type { TaskId } from "../src/domain/homr/tasks/task-id.ts";
import type { RunId } from "../src/domain/run/run.ts";
import type { AttemptWork } from "../src/outcomes/ports/attempt-work.ts";
import { taskBrief } from "../src/prompts/task-brief.ts";
import {
  type Engine,
  type IterationInput,
  type Journal,
  type Prover,
  untilInterrupted,
  type Worked,
} from "../src/runs/ports/engine.ts";
import { makeCheck, makeClaim, makeQuestion, makeStep } from "../test/helpers/make-run.ts";
import type { MemoryWrites } from "../test/sim/memory/memory-journal-store.ts";
import type { Actor, World } from "../test/sim/world.ts";
import { charsPerToken, type Price, priceOf } from "./steering-models.ts";
import type { Needed } from "./steering-plan.ts";
import type { Tried, Truth } from "./steering-truth.ts";

/** A session as `tokens` measures it: calls, tokens that each of them sends beside the brief, tokens that each answers. */
const session = { calls: 6, tokens: 6_000, outputTokens: 800 } as const;
/** Longer than most reports, so that observing costs what it does. */
const outputText = "A paragraph of the work, of usual length and without anything that others need. ".repeat(100);

/** Nobody guesses it here. */
const nonce = "0123456789abcdef";

type Done = { readonly tried: Tried; readonly microUsd: number };

type Working = {
  readonly world: World;
  readonly truth: Truth;
  readonly price: Price;
  readonly readState: (actor: Actor, taskId: TaskId) => Promise<OutcomeState | null>;
  readonly numberOf: (taskId: TaskId) => number;
};

export class Workers {
  readonly #working: Working;
  readonly done = new Map<RunId, Done>();
  /** What runs have asked their user. */
  readonly asked = new Map<RunId, readonly Needed[]>();

  constructor(working: Working) {
    this.#working = working;
  }

  engineFor(actor: Actor): Engine<MemoryWrites> {
    const { world } = this.#working;
    return {
      iterate: (input, journal) =>
        untilInterrupted(journal.signal, () => this.#iterate(actor, input, journal)).catch((thrown) => {
          world.report("no_unexpected_error", String(thrown));
          throw thrown;
        }),
    };
  }

  /** The checks of a task are green where its attempt did not fail: work that is wrong passes them. */
  readonly prover: Prover<MemoryWrites> = {
    prove: async ({ id, checks, state: { iteration } }) => {
      const isGreen = this.done.get(id)?.tried.hasFailed === false;
      const artifacts = [{ kind: "document", id: "some" }] as const;
      const proofs = checks.map((check) => ({ checkId: check.id, iteration, isGreen, seen: "looked at", artifacts }));
      return { kind: "proven", proofs };
    },
  };

  async #iterate(actor: Actor, input: IterationInput, journal: Journal<MemoryWrites>): Promise<Worked> {
    const { world, readState } = this.#working;
    const { id, outcomeTaskId } = input.run;
    const state = outcomeTaskId === null ? null : await readState(actor, outcomeTaskId);
    const task = state?.tasks.find((each) => each.id === outcomeTaskId);
    if (!state || !task) throw new Error("bug: a run without its task");
    const answers = (this.asked.get(id) ?? []).map(({ text }) => text);
    const prompt = [taskBrief(briefOf(state, task), nonce), ...answers].join("\n");
    const questions = this.#ask(id, task, prompt);
    if (questions.length > 0) return ended(input, null, questions);
    await world.pointOutside(actor, "work", { minMs: 1_000, maxMs: 6_000 });
    const tried = this.done.get(id)?.tried ?? this.#try(task, prompt);
    await this.#pay(id, journal, tried, prompt);
    if (!tried.hasFailed)
      await journal.write("tool:0.0", async (writes) => {
        const documentId = world.random.id();
        await writes.write({ id: documentId, key: "tool:0.0" });
        return { result: null, summary: "wrote it", artifacts: [{ kind: "document", id: documentId }] };
      });
    return ended(input, tried, []);
  }

  /** Once, before the work. */
  #ask(id: RunId, task: OutcomeTask, prompt: string): readonly Needed[] {
    if (this.asked.has(id) || this.done.has(id)) return [];
    const points = this.#working.truth.findAsked(task, prompt);
    if (points.length > 0) this.asked.set(id, points);
    return points;
  }

  #try(task: OutcomeTask, prompt: string): Tried {
    const { truth, numberOf } = this.#working;
    return truth.try(task, prompt, task.corrects === null ? null : numberOf(task.corrects));
  }

  /** Once for the whole attempt, however many iterations the loop makes of it. */
  async #pay(id: RunId, journal: Journal<MemoryWrites>, tried: Tried, prompt: string): Promise<void> {
    if (this.done.has(id)) return;
    const chars = session.calls * (session.tokens * charsPerToken + prompt.length);
    const whole = priceOf(this.#working.price, chars, session.calls * session.outputTokens);
    const microUsd = Math.round(whole * tried.effort);
    await journal.ask(
      { key: "llm:0", role: "planner", model: "simulated/model", reservedMicroUsd: microUsd },
      async () => ({
        result: null,
        isKept: true,
        usage: {
          ...{
            costMicroUsd: microUsd,
            inputTokens: Math.ceil(chars / charsPerToken),
            cachedTokens: 0,
            writtenTokens: 0,
          },
          ...{ outputTokens: session.calls * session.outputTokens, pricedBy: "provider" },
        },
      }),
    );
    this.done.set(id, { tried, microUsd });
  }

  /** As the observer is shown it. */
  readWork(runId: RunId): AttemptWork {
    const tried = this.done.get(runId)?.tried;
    const said = (tried?.named ?? []).map(({ text }) => `It turned out that ${text}.`);
    const doubts = (tried?.guessed ?? []).map(
      ({ subject }) => `I am not sure about ${subject} and took the first way.`,
    );
    const text = [outputText, ...doubts, ...said].join("\n");
    const summary = tried?.hasFailed ? "" : `Did what #${tried?.number} asks for`;
    return {
      ...{ summary, openQuestions: [], unsure: [], artifacts: [], diff: "", failedChecks: [], remaining: [] },
      iterations: [{ iteration: 1, summary: "worked on it", text }],
      said: (this.asked.get(runId) ?? []).map((point) => ({ question: point.subject, text: point.text })),
      isTainted: false,
    };
  }
}

function ended({ run, messages }: IterationInput, tried: Tried | null, questions: readonly Needed[]): Worked {
  const { iteration } = run.state;
  const step = makeStep({ id: `step_${iteration}`, title: `Step ${iteration}`, lastIteration: iteration });
  const isDone = tried !== null && !tried.hasFailed;
  return {
    kind: "worked",
    summary: isDone ? "did it" : "did not get through",
    claim: isDone ? makeClaim() : null,
    closing: null,
    wasCutOff: false,
    heard: messages.length,
    questions: questions.map(({ subject }, n) =>
      makeQuestion({ id: `question_${n}`, text: `What shall ${subject} be?` }),
    ),
    plan: { steps: [step] },
    proposed: {
      deliverables: [{ id: "report", title: "The work" }],
      checks: [makeCheck({ givenBy: "planner" })],
      drops: [],
      why: "as asked",
    },
    actions: null,
    error: null,
    hasToolMiss: false,
  };
}
