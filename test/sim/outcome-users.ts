// The people of a simulation who have outcomes: they start them, answer, dismiss, edit, skip, retry, pause and resume, each at the worst
// moment and sometimes twice at once. Everything goes through the product's own commands.

import {
  archiveOutcome,
  intervene,
  pauseOutcome,
  resumeOutcome,
  startOutcome,
} from "../../src/domain/homr/commands/outcome-commands.ts";
import {
  addDependency,
  addTask,
  editTask,
  obsoleteTask,
  retryTask,
  satisfyGate,
} from "../../src/domain/homr/commands/task-commands.ts";
import type { Outcome, OutcomeId } from "../../src/domain/homr/outcome.ts";
import { type Escalation, isOpenEscalation } from "../../src/domain/homr/questions/escalation.ts";
import {
  answerEscalation,
  confirmAnswer,
  dismissEscalation,
  rejectAnswer,
} from "../../src/domain/homr/questions/resolve.ts";
import type { TaskId } from "../../src/domain/homr/tasks/task-id.ts";
import type { UserId } from "../../src/domain/identity/identity.ts";
import { defaultBudget } from "../../src/domain/run/budget/budget.ts";
import { respond } from "../../src/domain/run/commands.ts";
import { AppError } from "../../src/lib/app-error.ts";
import { commandOutcome, type OutcomeCommand } from "../../src/outcomes/command-outcome.ts";
import type { OutcomeTransactions } from "../../src/outcomes/ports/outcome-store.ts";
import type { Limits } from "../../src/runs/carry-out.ts";
import { commandRun } from "../../src/runs/command-run.ts";
import { makeOutcome, makeTask } from "../helpers/make-outcome.ts";
import { makeCheck } from "../helpers/make-run.ts";
import { faultyOutcomes } from "./faulty-ports.ts";
import type { MemoryBackend } from "./memory/memory-backend.ts";
import type { OutcomeRecord } from "./memory/records.ts";
import type { World } from "./world.ts";

type Options = {
  readonly world: World;
  readonly backend: MemoryBackend;
  readonly limits: Limits;
  readonly userIds: readonly UserId[];
};

const visitsMax = 30;
/** Afterwards they only answer what they are asked. */
const calmVisitsMax = 60;

export class OutcomeUsers {
  readonly #options: Options;
  #requests = 0;
  /** Visits that are still to come. */
  #ahead = 0;

  constructor(options: Options) {
    this.#options = options;
    const { world, userIds } = options;
    for (const userId of userIds)
      for (let n = world.random.between(1, 2); n > 0; n--)
        world.timeline.at(world.random.between(0, 5_000), () => this.#begin(userId));
  }

  #request<T>(what: string, work: (store: OutcomeTransactions) => Promise<T>): Promise<T | null> {
    const { world, backend } = this.#options;
    this.#requests += 1;
    const actor = world.makeActor(`request ${this.#requests} ${what}`);
    return work(faultyOutcomes(world, actor, backend.outcomesFor(actor)).outcomes).catch((thrown: unknown) => {
      if (thrown instanceof AppError && thrown.code === "database_unavailable") return null;
      world.report("no_unexpected_error", `${what}: ${thrown instanceof Error ? thrown.stack : String(thrown)}`);
      return null;
    });
  }

  #begin(userId: UserId): void {
    const { world } = this.#options;
    const { outcome, tasks } = newOutcome(world, userId);
    void this.#request("create an outcome", (store) => store.transaction((tx) => tx.insertOutcome(outcome, tasks)));
    this.#visit(outcome.id, visitsMax + calmVisitsMax);
  }

  get isDone(): boolean {
    return this.#ahead === 0;
  }

  #visit(id: OutcomeId, visitsLeft: number): void {
    const { world, backend } = this.#options;
    this.#ahead += 1;
    world.timeline.at(world.timeline.nowMs + world.random.between(500, 12_000), () => {
      this.#ahead -= 1;
      const left = world.isCalm ? Math.min(visitsLeft, calmVisitsMax) : visitsLeft;
      if (left === 0) return;
      const record = backend.database.outcomes.get(id);
      if (record !== undefined && record.outcome.status !== "archived") this.#attend(record);
      this.#visit(id, left - 1);
    });
  }

  /** Whatever a run on a task asks. */
  #answerRuns({ attempts, outcome: { userId } }: OutcomeRecord): void {
    const { backend, limits } = this.#options;
    for (const { runId, state } of attempts) {
      const asked = backend.database.runs.get(runId)?.run.state;
      if (state !== "running" || asked?.status !== "waiting_on_user") continue;
      const answers = asked.questions.map(({ id }) => ({ questionId: id, text: "this one" }));
      void this.#request("answer a run", (store) =>
        store.transaction((tx) => commandRun(tx.runs, userId, runId, (run) => respond(run, answers), limits)),
      );
    }
  }

  #attend(record: OutcomeRecord): void {
    const { random, isCalm } = this.#options.world;
    const { outcome, tasks, escalations } = record;
    this.#answerRuns(record);
    if (outcome.status === "dormant" || (outcome.status === "achieved" && !isCalm))
      this.#command(record, "start", startOutcome);
    else if (outcome.status === "paused") this.#command(record, "resume", resumeOutcome);
    else {
      for (const asked of escalations.filter(isOpenEscalation)) if (random.chance(0.6)) this.#settle(record, asked);
      if (tasks.length > 0 && !isCalm) this.#meddle(record, random.pick(tasks).id, random.pick(tasks).id);
    }
  }

  /** Answers it, dismisses it, or says yes or no to what is proposed; sometimes twice at once. */
  #settle(record: OutcomeRecord, { id, options, state }: Escalation): void {
    const { random, faults } = this.#options.world;
    const option = random.chance(0.1) ? "no such option" : random.pick(options).id;
    const given = { escalationId: id, option, additionalContext: "like this" };
    const answer: OutcomeCommand = (now, world) => answerEscalation(now, given, world);
    const isYes = random.chance(0.5);
    if (state.status === "pending_confirmation" && random.chance(0.5))
      this.#command(record, "confirm", (now, world) => (isYes ? confirmAnswer(now, id, world) : rejectAnswer(now, id)));
    else if (random.chance(0.3))
      this.#command(record, "dismiss", (now, world) =>
        dismissEscalation(now, { escalationId: id, why: "never mind" }, world),
      );
    else this.#command(record, "answer", answer);
    if (faults.strikes("answer_twice")) this.#command(record, "answer again", answer);
  }

  /** Now and then, with a task that may have ended. */
  #meddle(record: OutcomeRecord, taskId: TaskId, other: TaskId): void {
    const { random, faults } = this.#options.world;
    const task = record.tasks.find(({ id }) => id === taskId);
    if (faults.strikes("pause")) this.#command(record, "pause", pauseOutcome);
    if (faults.strikes("cancel"))
      this.#command(record, "skip", (now, world) => obsoleteTask(now, { taskId, why: null }, world), [taskId]);
    if (faults.strikes("resume"))
      this.#command(record, "retry", (now, world) => retryTask(now, taskId, world), [taskId]);
    if (faults.strikes("steer")) {
      const version = task?.version ?? 1;
      const change = { description: "rather like this" };
      this.#command(record, "edit", (now, world) => editTask(now, { taskId, version, change }, world), [taskId]);
      this.#command(record, "say", (now, world) =>
        intervene(now, { type: "redirect", message: "mind the gap", taskId: null }, world),
      );
    }
    if (faults.strikes("fork")) {
      this.#command(record, "depend", (now, world) => addDependency(now, { taskId, dependsOn: other }, world), [
        taskId,
        other,
      ]);
      if (record.tasks.length < 12)
        this.#command(record, "add", (now, world) =>
          addTask(now, { title: "More", description: "Do more", checks: task?.checks ?? [] }, world),
        );
    }
    const gate = task?.gates.find(({ given }) => given === null);
    if (gate !== undefined && random.chance(0.5))
      this.#command(
        record,
        "give",
        (now, world) => satisfyGate(now, { taskId, gateId: gate.id, given: "here" }, world),
        [taskId],
      );
    if (faults.strikes("fork") && random.chance(0.1)) this.#command(record, "archive", archiveOutcome);
  }

  #command(
    { outcome: { id, userId } }: OutcomeRecord,
    what: string,
    command: OutcomeCommand,
    spokenOf: readonly TaskId[] = [],
  ): void {
    const { world, limits } = this.#options;
    const now = { nowMs: world.nowMs, newId: world.random.id };
    void this.#request(what, (store) =>
      store.transaction((tx) => commandOutcome(tx, userId, id, command, { limits, world: now }, spokenOf)),
    );
  }
}

/** A task is complete when its run has written so many documents. */
const checkFor = (documents: number) => {
  const target = { kind: "document_has", documentId: null, titleLike: "", sourcesAtLeast: 0 } as const;
  return makeCheck({ deliverableId: null, target: { ...target, headings: ["Pages"], wordsAtLeast: documents } });
};

function newOutcome({ random }: World, userId: UserId) {
  const count = random.between(2, 6);
  const ids = Array.from({ length: count }, () => random.id() as TaskId);
  const tasks = ids.map((id, n) =>
    makeTask(n + 1, {
      id,
      priority: random.between(50, 150),
      dependsOn: n > 0 && random.chance(0.4) ? [random.pick(ids.slice(0, n))] : [],
      checks: [checkFor(random.between(1, 3))],
      maxAttempts: random.between(1, 3),
      gates: random.chance(0.15) ? [{ id: "gate", kind: "human_approval", label: "A yes", given: null }] : [],
    }),
  );
  const base = makeOutcome();
  const outcome: Outcome = {
    ...base,
    id: random.id() as OutcomeId,
    userId,
    status: "dormant",
    approach: null,
    nextNumber: count + 1,
    workers: random.between(1, 3),
    runBudget: { ...defaultBudget, maxIterations: random.between(2, 6) },
    maxCostMicroUsd: random.chance(0.2) ? random.between(500, 3_000) : null,
    autoResolve: {
      mode: random.pick(["manual", "semi_auto", "full_auto"]),
      threshold: 0.5,
      deadlineHours: random.chance(0.3) ? 1 : null,
    },
    config: {
      ...base.config,
      enabled: random.chance(0.9),
      observeAfterEveryTask: random.chance(0.8),
      pauseOnEscalation: random.chance(0.8),
      maxSteeringActionsPerTask: random.between(0, 5),
      maxDiscoveries: random.between(1, 10),
      contextCompactionThreshold: random.between(10, 20),
    },
  };
  return { outcome, tasks };
}
