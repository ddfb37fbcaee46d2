// The owner of a simulated outcome, who looks in every few minutes and answers everything: open points with the decision, failures with the
// facts that workers said they failed of. The same person with HOMЯ and without. A task that failed again and again is skipped.

import type { OutcomeId } from "../src/domain/homr/outcome.ts";
import { type Escalation, isOpenEscalation } from "../src/domain/homr/questions/escalation.ts";
import { answerEscalation } from "../src/domain/homr/questions/resolve.ts";
import type { UserId } from "../src/domain/identity/identity.ts";
import { respond } from "../src/domain/run/commands.ts";
import { commandOutcome, type OutcomeCommand } from "../src/outcomes/command-outcome.ts";
import { commandRun } from "../src/runs/command-run.ts";
import type { MemoryBackend } from "../test/sim/memory/memory-backend.ts";
import type { OutcomeRecord } from "../test/sim/memory/records.ts";
import type { Actor, World } from "../test/sim/world.ts";
import type { OutcomePlan } from "./steering-plan.ts";

const looksEveryMs = 10_000;
/** Questions about failed tasks that are answered with another try; after that the tasks are skipped. */
const triesGranted = 2;
/** Every tenth review that finds something asks whether to go on. */
const reviewsGranted = 1;
const limits = { maxConcurrentRuns: 3 };

type Owning = {
  readonly world: World;
  readonly backend: MemoryBackend;
  readonly plan: OutcomePlan;
  readonly userId: UserId;
  readonly outcomeId: OutcomeId;
};

export class Person {
  readonly #owning: Owning;
  readonly #actor: Actor;
  readonly #answered = new Map<string, number>();
  /** Of runs; those of the outcome are its escalations. */
  runQuestions = 0;

  constructor(owning: Owning) {
    this.#owning = owning;
    this.#actor = owning.world.makeActor("person");
    this.#look();
  }

  async command(command: OutcomeCommand): Promise<void> {
    const { world, backend, userId, outcomeId } = this.#owning;
    const now = { limits, world: { nowMs: world.nowMs, newId: world.random.id } };
    const { outcomes } = backend.outcomesFor(this.#actor);
    await outcomes.transaction((tx) => commandOutcome(tx, userId, outcomeId, command, now));
  }

  #look(): void {
    const { world, backend, outcomeId } = this.#owning;
    world.timeline.at(world.timeline.nowMs + looksEveryMs, () => {
      const record = backend.database.outcomes.get(outcomeId);
      if (record !== undefined) void this.#attend(record).catch((thrown) => world.report("person", String(thrown)));
      this.#look();
    });
  }

  async #attend(record: OutcomeRecord): Promise<void> {
    const { backend, userId } = this.#owning;
    for (const { runId, state } of record.attempts) {
      const asked = backend.database.runs.get(runId)?.run.state;
      if (state !== "running" || asked?.status !== "waiting_on_user") continue;
      this.runQuestions += asked.questions.length;
      const answers = asked.questions.map(({ id }) => ({ questionId: id, text: "the second form" }));
      await backend
        .storeFor(this.#actor)
        .transaction((tx) => commandRun(tx, userId, runId, (run) => respond(run, answers), limits));
    }
    for (const escalation of record.escalations.filter(isOpenEscalation)) await this.#answer(record, escalation);
  }

  async #answer(record: OutcomeRecord, escalation: Escalation): Promise<void> {
    const { trigger, options, id } = escalation;
    const times = (this.#answered.get(trigger) ?? 0) + 1;
    this.#answered.set(trigger, times);
    const isOver = trigger === "stuck" ? times > reviewsGranted : trigger === "blocked" && times > triesGranted;
    const wanted = isOver ? (trigger === "stuck" ? "pause" : "skip") : options[0]?.id;
    const option = options.find((each) => each.id === wanted)?.id ?? options[0]?.id ?? "";
    const additionalContext = this.#say(record, escalation);
    await this.command((state, now) => answerEscalation(state, { escalationId: id, option, additionalContext }, now));
  }

  /** What is decided at the point that is asked about, and what the failures of the tasks name. */
  #say({ tasks }: OutcomeRecord, { question, context, evidence, affectedTasks }: Escalation): string {
    const { points, facts } = this.#owning.plan;
    const asked = [question, context, ...evidence].join("\n");
    const failures = tasks
      .filter((task) => affectedTasks.includes(task.id))
      .flatMap((task) => task.failures.map(({ tail }) => tail))
      .join("\n");
    const decided = points.filter(({ subject }) => asked.includes(subject));
    const named = facts.filter(({ text }) => failures.includes(text));
    return [...decided, ...named].map(({ text }) => text).join("\n") || "Go on";
  }
}
