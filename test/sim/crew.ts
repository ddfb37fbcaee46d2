// The workers of a simulation: the real dispatcher and the real loop, in processes that can die, freeze, be closed and be
// replaced. What src/loop/worker.ts wires to a database, this wires to a simulated one.

import type { BreakerLimits } from "../../src/domain/run/gate/breakers.ts";
import type { RunId } from "../../src/domain/run/run.ts";
import type { LogFields } from "../../src/lib/logger.ts";
import { runIterationJob } from "../../src/loop/run-iteration-job.ts";
import { Dispatcher, type Handlers } from "../../src/queue/dispatcher.ts";
import type { JobNotice } from "../../src/queue/job-notice.ts";
import type { JobRef, QueuedJob, WorkQueue } from "../../src/queue/job-queue.ts";
import type { Limits } from "../../src/runs/carry-out.ts";
import { loopStore } from "../../src/runs/loop-store.ts";
import type { Engine, Prover } from "../../src/runs/ports/engine.ts";
import type { Lease } from "../../src/runs/ports/run-store.ts";
import type { Backend } from "./backend.ts";
import { faultyQueue, faultyStore, guardOf } from "./faulty-ports.ts";
import { type Actor, DatabaseAway, type World } from "./world.ts";

export type CrewOptions<Writes> = {
  readonly world: World;
  readonly backend: Backend<Writes>;
  readonly engineFor: (actor: Actor) => Engine<Writes>;
  readonly proverFor: (actor: Actor) => Prover<Writes>;
  /** HOMЯ's jobs; left out: there are no outcomes. */
  readonly homrFor?: (actor: Actor) => (job: QueuedJob, signal: AbortSignal) => Promise<unknown>;
  readonly limits: Limits;
  readonly breakers: BreakerLimits;
  readonly size: number;
  readonly concurrency: number;
};

const remembered = 4;

type Member = { readonly actor: Actor; readonly dispatcher: Dispatcher };

export class Crew<Writes> {
  readonly #options: CrewOptions<Writes>;
  readonly #members = new Set<Member>();
  /** Deliveries that may come again. */
  #recent: readonly QueuedJob[] = [];
  #hired = 0;
  /** No one is hired before this. */
  #nobodyUntilMs = 0;

  constructor(options: CrewOptions<Writes>) {
    this.#options = options;
    options.backend.onNotice = (notice) => this.#notice(notice);
    for (let n = 0; n < options.size; n++) this.#hire();
  }

  /** Closes one in an orderly way and hires another. */
  async restart(): Promise<void> {
    const { world } = this.#options;
    if (this.#members.size === 0) return;
    const member = world.random.pick([...this.#members]);
    world.trace(`${member.actor.name} is closed`);
    await member.dispatcher.close(world.random.between(0, 5_000));
    if (member.actor.isDead) return;
    world.kill(member.actor);
  }

  /** Everyone dies at once, and nobody comes for a while. */
  blackOut(): void {
    const { world } = this.#options;
    this.#nobodyUntilMs = world.timeline.nowMs + world.random.between(5_000, 60_000);
    for (const { actor } of [...this.#members]) world.kill(actor);
  }

  #hire(): void {
    const { world } = this.#options;
    this.#hired += 1;
    const actor = world.makeActor(`worker ${this.#hired}`, () => {
      for (const each of this.#members) if (each.actor === actor) this.#members.delete(each);
      const atMs = Math.max(world.timeline.nowMs + world.wait({ minMs: 200, maxMs: 12_000 }), this.#nobodyUntilMs);
      world.timeline.at(atMs, () => this.#hire());
    });
    const dispatcher = this.#dispatcherOf(actor);
    // It may have died over its first words.
    if (!actor.isDead) this.#members.add({ actor, dispatcher });
  }

  #dispatcherOf(actor: Actor): Dispatcher {
    const { world, backend, concurrency } = this.#options;
    const leases = new Map<string, Lease>();
    const guard = guardOf(world, actor);
    return new Dispatcher({
      queue: this.#queueOf(actor),
      env: world.envOf(actor),
      logger: { debug: () => {}, info: () => {}, error: this.#log(actor), warn: this.#log(actor) },
      handlers: {
        iteration: {
          concurrency,
          gatherMs: 6,
          handle: (job, signal) => this.#handle(actor, leases, job, signal),
          onBeat: (jobs) => guard("leases", () => backend.keepLeases(actor, ofJobs(leases, jobs))),
        },
        ...this.#homrOf(actor),
      },
    });
  }

  #homrOf(actor: Actor): Handlers {
    const { homrFor, concurrency } = this.#options;
    if (homrFor === undefined) return {};
    const handle = homrFor(actor);
    return {
      homr: {
        concurrency,
        handle: async (job, signal) => {
          try {
            if ((await handle(job, signal)) === "aborted") throw signal.reason;
          } catch (thrown) {
            this.#checkThrown(actor, thrown, signal);
            throw thrown;
          }
        },
      },
    };
  }

  async #handle(actor: Actor, leases: Map<string, Lease>, job: QueuedJob, signal: AbortSignal): Promise<void> {
    const { world, backend, limits, breakers, engineFor, proverFor } = this.#options;
    const { run_id: runId, iteration } = job.data as { run_id: RunId; iteration: number };
    const deps = {
      runs: loopStore(faultyStore(world, actor, backend.storeFor(actor)), { workerName: actor.name, breakers, limits }),
      engineFor: () => ({ engine: engineFor(actor), prover: proverFor(actor), workFolder: null }),
      newId: world.random.id,
      now: () => world.nowMs,
      onTaken: ({ lease }: { lease: Lease }) => leases.set(job.id, lease),
    };
    try {
      const ended = await runIterationJob(deps, { id: job.id, attempt: job.attempt, runId, iteration }, signal);
      if (ended === "aborted") throw signal.reason;
    } catch (thrown) {
      const lease = leases.get(job.id);
      this.#checkThrown(actor, thrown, signal);
      if (lease && signal.aborted) await guardOf(world, actor)("let go", () => backend.letGo(actor, lease));
      throw thrown;
    } finally {
      if (leases.get(job.id)?.job.attempt === job.attempt) leases.delete(job.id);
    }
  }

  /** Now and then a delivery comes a second time, to whoever asks next. */
  #queueOf(actor: Actor): WorkQueue {
    const { world, backend } = this.#options;
    const queue = faultyQueue(world, actor, backend.queueFor(actor));
    return {
      ...queue,
      fetch: async (kind, limit) => {
        const jobs = await queue.fetch(kind, limit);
        const again = this.#recent.filter((each) => each.kind === kind && !jobs.some(({ id }) => id === each.id));
        this.#recent = [...jobs, ...this.#recent].slice(0, remembered);
        const isTwice = again.length > 0 && jobs.length < limit && world.faults.strikes("duplicate_delivery");
        return isTwice ? [...jobs, world.random.pick(again)] : jobs;
      },
    };
  }

  /** What the database tells listeners reaches most of them. */
  #notice(notice: JobNotice): void {
    const { world } = this.#options;
    for (const { actor, dispatcher } of this.#members) {
      if (world.faults.strikes("lost_notice")) continue;
      world.later(actor, world.wait({ minMs: 0, maxMs: 50 }), () => dispatcher.notice(notice));
    }
  }

  /** Losing the database or its lease ends an attempt; whatever a provider does has to end in a commit. */
  #checkThrown(actor: Actor, thrown: unknown, signal: AbortSignal): void {
    if (signal.aborted || thrown instanceof DatabaseAway) return;
    const detail = thrown instanceof Error ? thrown.message : String(thrown);
    this.#options.world.report("A5 no_fault_is_thrown_past_the_loop", `${actor.name}: ${detail}`);
  }

  /** An error that nobody simulated is a bug. */
  #log(actor: Actor): (fields: LogFields, message: string) => void {
    return ({ error }, message) => {
      if (error instanceof DatabaseAway) return;
      const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#options.world.report("no_unexpected_error", `${actor.name}: ${message}: ${detail}`);
    };
  }
}

const ofJobs = (leases: ReadonlyMap<string, Lease>, jobs: readonly JobRef[]): readonly Lease[] =>
  jobs.flatMap(({ id }) => leases.get(id) ?? []);
