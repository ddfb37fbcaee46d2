// Hands jobs to a handler: one fetch at a time for as many jobs as there is room, signs of life for all of them together,
// and an abort for whoever lost his. It decides nothing about a job: completing it is the handler's transaction.

import type { Env } from "../lib/env.ts";
import type { Logger } from "../lib/logger.ts";
import type { JobQueue, JobRef, QueuedJob } from "./job-queue.ts";

export type DispatcherOptions = {
  readonly queue: JobQueue;
  readonly concurrency: number;
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
const superviseMs = 2_000;
/** After a failure that was not the job's own: first, and at most. */
const retryMs = 1_000;
const retryMaxMs = 60_000;

type InFlight = { readonly job: QueuedJob; readonly abort: AbortController; done: Promise<void> };

export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #inFlight = new Set<InFlight>();
  readonly #stopping = new AbortController();
  /** Signs of life go on until the last job is done. */
  readonly #finished = new AbortController();
  readonly #loops: readonly Promise<void>[];
  #bell = Promise.withResolvers<void>();

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#loops = [
      this.#dispatch(),
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
    for (const { job, abort } of this.#inFlight) if (job.id === jobId) abort.abort();
  }

  /** Takes nothing more; lets what is in flight finish for a while, then gives it back. */
  async close(graceMs: number): Promise<void> {
    this.#stopping.abort();
    this.wake();
    const all = Promise.allSettled([...this.#inFlight].map(({ done }) => done));
    const late = new AbortController();
    await Promise.race([all, this.#wait(graceMs, late.signal)]);
    late.abort();
    for (const { abort } of this.#inFlight) abort.abort();
    await all;
    this.#finished.abort();
    await Promise.all(this.#loops);
  }

  async #dispatch(): Promise<void> {
    const { concurrency, queue, logger } = this.#options;
    while (!this.#stopping.signal.aborted) {
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
    const one: InFlight = { job, abort: new AbortController(), done: Promise.resolve() };
    this.#inFlight.add(one);
    one.done = this.#work(one).finally(() => {
      this.#inFlight.delete(one);
      this.wake();
    });
  }

  async #work({ job, abort }: InFlight): Promise<void> {
    const { handle, queue, logger } = this.#options;
    try {
      await handle(job, abort.signal);
    } catch (error) {
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
    for (const { job, abort } of this.#inFlight) if (jobs.includes(job) && !ours.has(job.id)) abort.abort();
    await this.#options.onBeat?.(jobs.filter(({ id }) => ours.has(id)));
  }

  async #every(ms: number, what: string, work: () => Promise<void>, until: AbortSignal): Promise<void> {
    while (!until.aborted) {
      await this.#wait(ms, until);
      if (until.aborted) return;
      await work().catch((error: unknown) => this.#options.logger.warn({ error }, `${what}; trying again`));
    }
  }

  #wait(ms: number, signal: AbortSignal): Promise<void> {
    return this.#options.env.sleep(ms, signal).catch(() => {});
  }
}
