// Hands jobs to a handler: one fetch at a time for as many jobs as there is room, signs of life for all of them together,
// and an abort for whoever lost his. It decides nothing about a job: completing it is the handler's transaction.

import type { Env } from "../lib/env.ts";
import type { Logger } from "../lib/logger.ts";
import type { JobQueue, JobRef, QueuedJob } from "./job-queue.ts";

export type DispatcherOptions = {
  readonly queue: JobQueue;
  readonly concurrency: number;
  /** While more than half of the room is taken, new jobs are asked for at most this often: several at once are cheaper. */
  readonly gatherMs?: number;
  /** Throws where it could not get on with the job: it is given back then. */
  readonly handle: (job: QueuedJob, signal: AbortSignal) => Promise<void>;
  /** With every sign of life, for whoever has to give one as well. */
  readonly onBeat?: (jobs: readonly JobRef[]) => Promise<void>;
  readonly env: Env;
  readonly logger: Logger;
};

/** For what nobody announced: jobs that become due, and those of the dead. */
const pollMs = 1_000;
/** A third of what the queue waits for a sign of life. */
const beatMs = 3_000;
/** A job whose worker gave no sign of life for ten seconds (migration 0006) is found within this. */
const superviseMs = 1_500;
/** After a failure that was not the job's own: first, and at most. */
const retryMs = 1_000;
const retryMaxMs = 60_000;
/** For whoever is told to stop. */
const abortMs = 2_000;

type InFlight = {
  readonly job: QueuedJob;
  readonly abort: AbortController;
  /** Someone else has it now, or nobody may: there is nothing to give back. */
  isTakenAway: boolean;
  done: Promise<void>;
};

export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #inFlight = new Set<InFlight>();
  readonly #stopping = new AbortController();
  /** Signs of life go on until the last job is done. */
  readonly #finished = new AbortController();
  readonly #dispatching: Promise<void>;
  readonly #loops: readonly Promise<void>[];
  #bell = Promise.withResolvers<void>();

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#dispatching = this.#dispatch();
    this.#loops = [
      this.#every(beatMs, "no sign of life could be given", () => this.#beat(), this.#finished.signal),
      this.#every(
        superviseMs,
        "could not look after the queue",
        () => options.queue.supervise(),
        this.#stopping.signal,
      ),
    ];
  }

  /** There may be work. */
  wake(): void {
    const rung = this.#bell;
    this.#bell = Promise.withResolvers();
    rung.resolve();
  }

  /** Someone took this job away. */
  abort(jobId: string): void {
    for (const one of this.#inFlight) if (one.job.id === jobId) takeAway(one);
  }

  /** Takes nothing more; lets what is in flight finish for a while, then gives it back. */
  async close(graceMs: number): Promise<void> {
    this.#stopping.abort();
    this.wake();
    await this.#dispatching; // What a fetch still brings is in flight, too.
    const all = Promise.allSettled([...this.#inFlight].map(({ done }) => done));
    await this.#atMost(graceMs, all);
    for (const { abort } of this.#inFlight) abort.abort();
    await this.#atMost(abortMs, all); // Whoever does not listen is left behind; its signs of life end.
    this.#finished.abort();
    await Promise.all(this.#loops);
  }

  async #dispatch(): Promise<void> {
    const { concurrency, gatherMs = 0, queue, logger } = this.#options;
    while (!this.#stopping.signal.aborted) {
      if (gatherMs > 0 && this.#inFlight.size > concurrency / 2) await this.#wait(gatherMs, this.#stopping.signal);
      if (this.#stopping.signal.aborted) return;
      const woken = this.#bell.promise; // Before the fetch: what comes in between wakes us again.
      const free = concurrency - this.#inFlight.size;
      try {
        const jobs = free > 0 ? await queue.fetch(free) : [];
        for (const job of jobs) this.#begin(job);
      } catch (error) {
        logger.warn({ error }, "could not ask for jobs; trying again");
        await this.#wait(pollMs, this.#stopping.signal);
        continue;
      }
      const idle = new AbortController();
      await Promise.race([woken, this.#wait(pollMs, idle.signal)]);
      idle.abort();
    }
  }

  #begin(job: QueuedJob): void {
    this.abort(job.id); // A delivery of before: its claim is gone.
    const one: InFlight = { job, abort: new AbortController(), isTakenAway: false, done: Promise.resolve() };
    this.#inFlight.add(one);
    one.done = this.#work(one).finally(() => {
      this.#inFlight.delete(one);
      this.wake();
    });
  }

  async #work(one: InFlight): Promise<void> {
    const { handle, queue, logger } = this.#options;
    const { job, abort } = one;
    try {
      await handle(job, abort.signal);
    } catch (error) {
      if (one.isTakenAway) return logger.debug({ job: job.id }, "a job was taken away");
      const isStopping = this.#stopping.signal.aborted;
      if (!isStopping) logger.warn({ error, job: job.id, attempt: job.attempt }, "a job was given back");
      const afterMs = isStopping ? 0 : Math.min(retryMaxMs, retryMs * 2 ** Math.min(job.attempt, 10));
      await queue.release(job, afterMs).catch((failure: unknown) => {
        // It goes to someone else when its signs of life have stopped for long enough.
        logger.warn({ error: failure, job: job.id }, "a job could not be given back");
      });
    }
  }

  async #beat(): Promise<void> {
    const jobs = [...this.#inFlight].map(({ job }) => job);
    if (jobs.length === 0) return;
    const ours = await this.#options.queue.touch(jobs);
    for (const one of this.#inFlight) if (jobs.includes(one.job) && !ours.has(one.job.id)) takeAway(one);
    await this.#options.onBeat?.(jobs.filter(({ id }) => ours.has(id)));
  }

  async #every(ms: number, what: string, work: () => Promise<void>, until: AbortSignal): Promise<void> {
    while (!until.aborted) {
      await this.#wait(ms, until);
      if (until.aborted) return;
      await work().catch((error: unknown) => this.#options.logger.warn({ error }, `${what}; trying again`));
    }
  }

  async #atMost(ms: number, work: Promise<unknown>): Promise<void> {
    const late = new AbortController();
    await Promise.race([work, this.#wait(ms, late.signal)]);
    late.abort();
  }

  #wait(ms: number, signal: AbortSignal): Promise<void> {
    return this.#options.env.sleep(ms, signal).catch(() => {});
  }
}

function takeAway(one: InFlight): void {
  one.isTakenAway = true;
  one.abort.abort();
}
