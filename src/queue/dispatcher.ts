// Hands jobs to the handlers of their kinds: for each kind one fetch at a time for as many jobs as there is room, signs of life
// for all jobs together, and an abort for a handler whose job was taken away. It decides nothing about a job: completing it is the
// handler's transaction.

import type { Env } from "../lib/env.ts";
import type { Logger } from "../lib/logger.ts";
import { type JobKind, jobKinds } from "./job-kinds.ts";
import type { JobNotice } from "./job-notice.ts";
import type { JobRef, QueuedJob, WorkQueue } from "./job-queue.ts";

export type KindHandler = {
  /** At most so many jobs of this kind at once. */
  readonly concurrency: number;
  /** While more than half of the room is taken, new jobs are asked for at most this often: several at once are cheaper. */
  readonly gatherMs?: number;
  /** Its jobs only wait for something: when the process stops, they are given back at once. */
  readonly isWaiting?: boolean;
  /** Throws where it could not get on with the job: it is given back then. */
  readonly handle: (job: QueuedJob, signal: AbortSignal) => Promise<void>;
  /** With every sign of life, for handlers that have to give one as well. */
  readonly onBeat?: (jobs: readonly JobRef[]) => Promise<void>;
};

/** A kind without a handler is left to other processes. */
export type Handlers = Partial<Readonly<Record<JobKind, KindHandler>>>;

export type DispatcherOptions = {
  readonly queue: WorkQueue;
  readonly handlers: Handlers;
  readonly env: Env;
  readonly logger: Logger;
};

/** A third of what the queues wait for a sign of life. */
const beatMs = 3_000;
/** A job whose worker gave no sign of life for ten seconds (migration 0034) is found within this. */
const superviseMs = 1_500;
/** Later than this a sign of life is late: this process was frozen, or the machine is busy. */
const lateMs = 2 * beatMs;
/** For handlers that are told to stop. */
const abortMs = 2_000;

type InFlight = {
  readonly job: QueuedJob;
  readonly abort: AbortController;
  /** Another worker has it now, or it was dropped: there is nothing to give back. */
  isTakenAway: boolean;
  done: Promise<void>;
};

/** The jobs of one kind that are being worked on. */
type Room = {
  readonly kind: JobKind;
  readonly handler: KindHandler;
  readonly inFlight: Set<InFlight>;
  bell: PromiseWithResolvers<void>;
};

export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #rooms: readonly Room[];
  readonly #stopping = new AbortController();
  /** Signs of life go on until the last job is done. */
  readonly #finished = new AbortController();
  readonly #dispatching: Promise<unknown>;
  readonly #loops: readonly Promise<void>[];
  #lastBeatMs: number;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#lastBeatMs = options.env.now();
    this.#rooms = Object.entries(options.handlers).map(([kind, handler]) => ({
      kind: kind as JobKind,
      handler,
      inFlight: new Set(),
      bell: Promise.withResolvers(),
    }));
    this.#dispatching = Promise.all(this.#rooms.map((room) => this.#dispatch(room)));
    this.#loops = [
      this.#every(beatMs, "no sign of life could be given", () => this.#beat(), this.#finished.signal),
      this.#every(superviseMs, "could not look after the queue", () => this.#supervise(), this.#stopping.signal),
    ];
  }

  /** There may be work of every kind. */
  wake(): void {
    for (const room of this.#rooms) ring(room);
  }

  /** What another process told all workers. */
  notice({ kind, dropped }: JobNotice): void {
    const room = this.#rooms.find((each) => each.kind === kind);
    if (room === undefined) return;
    if (dropped === null) ring(room);
    else abortJob(room, dropped);
  }

  /** Takes nothing more; lets what is in flight finish for a while, then gives it back. */
  async close(graceMs: number): Promise<void> {
    this.#stopping.abort();
    this.wake();
    await this.#dispatching; // What a fetch still brings is in flight, too.
    for (const { handler, inFlight } of this.#rooms)
      if (handler.isWaiting) for (const { abort } of inFlight) abort.abort();
    const all = Promise.allSettled(this.#inFlight().map(({ done }) => done));
    await this.#atMost(graceMs, all);
    for (const { abort } of this.#inFlight()) abort.abort();
    await this.#atMost(abortMs, all); // A handler that does not listen is left behind; its signs of life end.
    this.#finished.abort();
    await Promise.all(this.#loops);
  }

  #inFlight(): readonly InFlight[] {
    return this.#rooms.flatMap(({ inFlight }) => [...inFlight]);
  }

  async #dispatch(room: Room): Promise<void> {
    const { queue, logger } = this.#options;
    const { kind, inFlight, handler } = room;
    const { concurrency, gatherMs = 0 } = handler;
    const { pollMs } = jobKinds[kind];
    while (!this.#stopping.signal.aborted) {
      if (gatherMs > 0 && inFlight.size > concurrency / 2) await this.#wait(gatherMs, this.#stopping.signal);
      if (this.#stopping.signal.aborted) return;
      const woken = room.bell.promise; // Before the fetch: what comes in between wakes us again.
      const free = concurrency - inFlight.size;
      try {
        const jobs = free > 0 ? await queue.fetch(kind, free) : [];
        for (const job of jobs) this.#begin(room, job);
      } catch (error) {
        logger.warn({ error, kind }, "could not ask for jobs; trying again");
        await this.#wait(pollMs, this.#stopping.signal);
        continue;
      }
      await this.#atMost(pollMs, woken);
    }
  }

  #begin(room: Room, job: QueuedJob): void {
    abortJob(room, job.id); // An earlier delivery of this job: its lease is gone.
    const one: InFlight = { job, abort: new AbortController(), isTakenAway: false, done: Promise.resolve() };
    room.inFlight.add(one);
    one.done = this.#work(room, one).finally(() => {
      room.inFlight.delete(one);
      ring(room);
    });
  }

  async #work({ kind, handler }: Room, one: InFlight): Promise<void> {
    const { queue, logger } = this.#options;
    const { job, abort } = one;
    try {
      await handler.handle(job, abort.signal);
    } catch (error) {
      if (one.isTakenAway) return logger.debug({ job: job.id }, "a job was taken away");
      const isStopping = this.#stopping.signal.aborted;
      if (!isStopping) logger.warn({ error, kind, job: job.id, attempt: job.attempt }, "a job was given back");
      const { retryMs, retryMaxMs } = jobKinds[kind];
      const afterMs = isStopping ? 0 : Math.min(retryMaxMs, retryMs * 2 ** Math.min(job.attempt, 10));
      await queue.release(job, afterMs).catch((failure: unknown) => {
        // Another worker gets it when its signs of life have stopped for long enough.
        logger.warn({ error: failure, kind, job: job.id }, "a job could not be given back");
      });
    }
  }

  /** A process that was frozen gives its sign of life first: its own jobs are not those of a dead worker. */
  async #supervise(): Promise<void> {
    if (this.#options.env.now() - this.#lastBeatMs > lateMs) await this.#beat();
    await this.#options.queue.supervise();
  }

  async #beat(): Promise<void> {
    this.#lastBeatMs = this.#options.env.now();
    const all = this.#inFlight().map(({ job }) => job);
    if (all.length === 0) return;
    const ours = new Set((await this.#options.queue.touch(all)).map(nameOf));
    for (const { inFlight, handler } of this.#rooms) {
      const jobs = [...inFlight].filter(({ job }) => all.includes(job));
      for (const one of jobs) if (!ours.has(nameOf(one.job))) takeAway(one);
      await handler.onBeat?.(jobs.map(({ job }) => job).filter((job) => ours.has(nameOf(job))));
    }
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
    late.abort(null); // Without a reason, one with a stack would be made each time: a fifteenth of a simulation.
  }

  #wait(ms: number, signal: AbortSignal): Promise<void> {
    return this.#options.env.sleep(ms, signal).catch(() => {});
  }
}

/** Of a delivery. */
const nameOf = ({ kind, id, attempt }: JobRef): string => `${kind} ${id} ${attempt}`;

function ring(room: Room): void {
  const rung = room.bell;
  room.bell = Promise.withResolvers();
  rung.resolve();
}

function abortJob({ inFlight }: Room, jobId: string): void {
  for (const one of inFlight) if (one.job.id === jobId) takeAway(one);
}

function takeAway(one: InFlight): void {
  one.isTakenAway = true;
  one.abort.abort();
}
