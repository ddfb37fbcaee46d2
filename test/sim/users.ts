// The people of a simulation: they hand over objectives, answer, steer, pause, resume, cancel and fork, each at the worst
// moment and sometimes twice at once. Everything goes through the product's own commands.

import type { UserId } from "../../src/domain/identity/identity.ts";
import { type Budget, defaultBudget } from "../../src/domain/run/budget/budget.ts";
import { type Answered, cancel, pause, respond, resume, steer } from "../../src/domain/run/commands.ts";
import { fork } from "../../src/domain/run/fork.ts";
import type { Run, RunId } from "../../src/domain/run/run.ts";
import { AppError } from "../../src/lib/app-error.ts";
import type { Limits } from "../../src/runs/carry-out.ts";
import { commandRun } from "../../src/runs/command-run.ts";
import { createRun } from "../../src/runs/create-run.ts";
import type { RunStore } from "../../src/runs/ports/run-store.ts";
import { makeCheck, makeRun } from "../helpers/make-run.ts";
import type { Backend } from "./backend.ts";
import { faultyStore } from "./faulty-ports.ts";
import type { World } from "./world.ts";

/** The product's; a planted bug replaces one. */
export const rightCommands = { cancel, pause, resume, respond, steer, fork };
export type Commands = typeof rightCommands;

export type UsersOptions<Writes> = {
  readonly world: World;
  readonly backend: Backend<Writes>;
  readonly limits: Limits;
  readonly commands: Commands;
  readonly userIds: readonly UserId[];
  readonly runsPerUser: number;
};

const visitsMax = 14;

export class Users<Writes> {
  readonly #options: UsersOptions<Writes>;
  #requests = 0;

  constructor(options: UsersOptions<Writes>) {
    this.#options = options;
    const { userIds, runsPerUser, world } = options;
    for (const userId of userIds) {
      const isAtOnce = world.random.chance(0.5);
      for (let n = 0; n < runsPerUser; n++)
        world.timeline.at(world.random.between(0, isAtOnce ? 100 : 20_000), () =>
          this.#handOver(newRun(world, userId)),
        );
    }
  }

  /** A request of its own: it may die, and nobody asks again. */
  #request<T>(what: string, work: (store: RunStore<Writes>) => Promise<T>): Promise<T | null> {
    const { world, backend } = this.#options;
    this.#requests += 1;
    const actor = world.makeActor(`request ${this.#requests} ${what}`);
    return work(faultyStore(world, actor, backend.storeFor(actor))).catch((thrown: unknown) => {
      if (thrown instanceof AppError && thrown.code === "database_unavailable") return null;
      world.report("no_unexpected_error", `${what}: ${thrown instanceof Error ? thrown.stack : String(thrown)}`);
      return null;
    });
  }

  #handOver(run: Run): void {
    const { limits } = this.#options;
    void this.#request("create", (store) => store.transaction((tx) => createRun(tx, run, limits)));
    this.#visit(run.id, visitsMax);
  }

  /** Looks at the run from time to time, and does something about it. */
  #visit(runId: RunId, visitsLeft: number): void {
    const { world, backend } = this.#options;
    world.timeline.at(world.timeline.nowMs + world.random.between(1_000, 25_000), () => {
      if (visitsLeft === 0 || world.isCalm) return;
      void world.io(backend.findRun(runId)).then((run) => {
        if (run !== null) this.#attend(run);
        this.#visit(runId, visitsLeft - 1);
      });
    });
  }

  #attend(run: Run): void {
    const { faults } = this.#options.world;
    const { commands } = this.#options;
    const { status } = run.state;
    if (status === "waiting_on_user") {
      this.#answer(run);
      return;
    }
    if (status === "stopped" && faults.strikes("resume")) {
      this.#command(run, "resume", (now) => commands.resume(now, this.#raised(now)));
      return;
    }
    if (faults.strikes("steer")) this.#command(run, "steer", (now) => commands.steer(now, "rather like this"));
    if (faults.strikes("pause")) this.#command(run, "pause", commands.pause);
    if (faults.strikes("cancel")) this.#command(run, "cancel", commands.cancel);
    if (run.state.iteration > 1 && run.forkedFrom === null && faults.strikes("fork")) void this.#fork(run.id);
  }

  #answer(run: Run): void {
    const { world, commands } = this.#options;
    if (run.state.status !== "waiting_on_user") return;
    const answers = run.state.questions.map(({ id }) => ({ questionId: id, text: "this one" }));
    const wrong = world.random.chance(0.2) ? [{ questionId: "not asked", text: "that one" }] : answers;
    this.#command(run, "answer", (now) => commands.respond(now, wrong));
    if (world.faults.strikes("answer_twice")) this.#command(run, "answer", (now) => commands.respond(now, answers));
    if (world.faults.strikes("cancel")) this.#command(run, "cancel", commands.cancel);
  }

  #command({ id, userId }: Run, what: string, command: (run: Run) => Answered): void {
    const { limits } = this.#options;
    void this.#request(what, (store) => store.transaction((tx) => commandRun(tx, userId, id, command, limits)));
  }

  async #fork(runId: RunId): Promise<void> {
    const { world, backend, commands } = this.#options;
    const { runs } = await world.io(backend.look());
    const record = runs.get(runId);
    const ended = record?.iterations.filter(({ plan }) => plan !== null) ?? [];
    if (record === undefined || ended.length === 0) return;
    const { iteration, plan, promised } = world.random.pick(ended);
    if (plan === null) return;
    this.#handOver(commands.fork(record.run, world.random.id() as RunId, { iteration, plan, promised }, {}));
  }

  /** Twice as much of what can be raised. */
  #raised({ budget, spent, state }: Run) {
    const { maxCostMicroUsd } = budget;
    return {
      maxIterations: Math.max(budget.maxIterations, state.iteration + 3),
      maxRunningMs: budget.maxRunningMs + spent.runningMs,
      maxCostMicroUsd: maxCostMicroUsd === null ? null : maxCostMicroUsd + spent.costMicroUsd + 300,
    };
  }
}

function newRun({ random }: World, userId: UserId): Run {
  const hasLimit = random.chance(0.5);
  const budget: Budget = {
    ...defaultBudget,
    maxIterations: random.between(2, 8),
    maxRunningMs: random.chance(0.3) ? random.between(10_000, 60_000) : defaultBudget.maxRunningMs,
    maxCostMicroUsd: hasLimit ? random.between(150, 1_500) : null,
    isCostHard: hasLimit && random.chance(0.7),
  };
  const run = runInLine(random.id() as RunId, userId, budget, random.between(1, 5));
  return random.chance(0.6) ? withJudge(run) : run;
}

/** A judge reads it, too. */
export function withJudge(run: Run): Run {
  const judge = makeCheck({ id: "judge:report", target: { kind: "judge", rubric: "It is good" }, givenBy: "platform" });
  return { ...run, isJudged: true, checks: [...run.checks, judge] };
}

/** One that is complete when it has written this many documents. */
export function runInLine(id: RunId, userId: UserId, budget: Budget, documents: number): Run {
  const target = { kind: "document_has", documentId: null, titleLike: "", headings: [], sourcesAtLeast: 0 } as const;
  return {
    ...makeRun(),
    id,
    userId,
    fence: 0,
    budget,
    checks: [makeCheck({ target: { ...target, headings: ["Pages"], wordsAtLeast: documents } })],
    state: { status: "queued", iteration: 1, hasSlot: false },
  };
}
