// The processes under the chaos: one server and some workers, each started again some moments after it was killed, as a
// supervisor would. It knows when which of them was away, and ends all of them whatever happens.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Api } from "../../src/protocol/client.ts";
import { type Served, startServer } from "../helpers/served.ts";

const workerFile = fileURLToPath(new URL("./worker-process.ts", import.meta.url));

export type FleetOptions = {
  readonly data: string;
  readonly workers: number;
  /** What a worker process is started with; see worker-process.ts. */
  readonly workerArgs: readonly string[];
  readonly settings: Readonly<Record<string, string>>;
};

/** `untilMs` is Infinity while it lasts. Times are of the wall clock, as the database's are. */
export type Away = {
  readonly slot: number;
  readonly why: "killed" | "frozen";
  readonly fromMs: number;
  untilMs: number;
};

type WorkerSlot = { child: ChildProcess | null; isReady: boolean; isFrozen: boolean };

const workerConcurrency = 8;
/** The survivor has room for everything: recovery measures the lease, not a queue. */
export const maxConcurrentRuns = 8;
/** A process that cannot start because the database is down is started again; one that never can is a finding. */
const startsMax = 30;
const wordsMax = 8_000;

export class Fleet {
  readonly #options: FleetOptions;
  readonly #workers: readonly WorkerSlot[];
  readonly #away: Away[] = [];
  readonly #underWay = new Set<Promise<void>>();
  #server: Served | null = null;
  #isClosing = false;
  readonly #ended = new WeakSet<ChildProcess>();
  /** What processes said that could not start and were tried again: the database may have been down. */
  readonly failedStarts: string[] = [];
  /** What processes said that ended although nobody killed them. Each is a finding. */
  readonly deaths: string[] = [];

  constructor(options: FleetOptions) {
    this.#options = options;
    this.#workers = Array.from({ length: options.workers }, () => ({ child: null, isReady: false, isFrozen: false }));
  }

  async start(): Promise<void> {
    await this.#startServer();
    await Promise.all(this.#workers.map((_, slot) => this.#startWorker(slot)));
  }

  /** Null while there is no server. */
  get api(): Api | null {
    return this.#server?.api ?? null;
  }

  get away(): readonly Away[] {
    return this.#away;
  }

  /** Slots whose worker works now. */
  workersAtWork(): readonly number[] {
    return [...this.#workers.keys()].filter((slot) => {
      const { isReady, isFrozen } = this.#slot(slot);
      return isReady && !isFrozen;
    });
  }

  /** Its name in leases. */
  nameOf(slot: number): string {
    return `${hostname()}:${this.#slot(slot).child?.pid}`;
  }

  /** Kills it and has it started again after a while. The answer is its name in leases. */
  async killWorker(slot: number, startAfterMs: number): Promise<string> {
    const worker = this.#slot(slot);
    const { child } = worker;
    if (child?.pid === undefined) throw new Error(`there is no worker in slot ${slot}`);
    const name = this.nameOf(slot);
    const away = this.#goAway(slot, "killed");
    worker.isReady = false;
    await this.#end(child);
    this.#later(async () => {
      await sleep(startAfterMs);
      await this.#startWorker(slot);
      away.untilMs = Date.now();
    });
    return name;
  }

  async killServer(startAfterMs: number): Promise<boolean> {
    const server = this.#server;
    if (server === null) return false;
    this.#server = null;
    await this.#end(server.child);
    this.#later(async () => {
      await sleep(startAfterMs);
      await this.#startServer();
    });
    return true;
  }

  freezeWorker(slot: number, forMs: number): void {
    const worker = this.#slot(slot);
    const { child } = worker;
    const away = this.#goAway(slot, "frozen");
    worker.isFrozen = true;
    child?.kill("SIGSTOP");
    this.#later(async () => {
      for (const end = Date.now() + forMs; Date.now() < end && !this.#isClosing; ) await sleep(100);
      child?.kill("SIGCONT");
      worker.isFrozen = false;
      away.untilMs = Date.now();
    });
  }

  /** Waits until everything is up again. */
  async settle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  /** Ends every process that this started; also while some are starting. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#endWorkers();
    await Promise.allSettled(this.#underWay);
    await this.#endWorkers();
    if (this.#server !== null) await this.#end(this.#server.child);
    this.#server = null;
  }

  #endWorkers(): Promise<unknown> {
    return Promise.all(this.#workers.flatMap(({ child }) => (child ? [this.#end(child)] : [])));
  }

  async #end(child: ChildProcess): Promise<void> {
    this.#ended.add(child);
    if (hasEnded(child)) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  }

  /** Has it started again if it ends by itself, and remembers what it said. */
  #watch(name: string, child: ChildProcess, words: () => string, startAgain: () => Promise<void>): void {
    child.once("exit", (code, signal) => {
      if (this.#ended.has(child) || this.#isClosing) return;
      this.deaths.push(`${name} ended by itself (${code ?? signal}):\n${words()}`);
      this.#later(startAgain);
    });
  }

  #slot(slot: number): WorkerSlot {
    const worker = this.#workers[slot];
    if (worker === undefined) throw new Error(`there is no slot ${slot}`);
    return worker;
  }

  #goAway(slot: number, why: Away["why"]): Away {
    const away: Away = { slot, why, fromMs: Date.now(), untilMs: Number.POSITIVE_INFINITY };
    this.#away.push(away);
    return away;
  }

  #later(work: () => Promise<void>): void {
    const done = work().finally(() => this.#underWay.delete(done));
    this.#underWay.add(done);
    done.catch(() => {}); // `settle` says it.
  }

  async #startServer(): Promise<void> {
    const settings = { ...this.#settings(), HOMEWORK_WORKER_CONCURRENCY: "0" };
    await this.#again(async () => {
      const served = await startServer(this.#options.data, { settings });
      this.#server = served;
      this.#watch("the server", served.child, served.words, () => this.#startServer());
    });
  }

  #startWorker(slot: number): Promise<void> {
    return this.#again(() => this.#startWorkerOnce(slot));
  }

  async #again(start: () => Promise<void>): Promise<void> {
    for (let tries = 1; !this.#isClosing; tries++) {
      try {
        return await start();
      } catch (thrown) {
        this.failedStarts.push(String(thrown));
        if (tries === startsMax) throw thrown;
        await sleep(500);
      }
    }
  }

  #settings(): Readonly<Record<string, string>> {
    return { HOMEWORK_MAX_CONCURRENT_RUNS_PER_USER: String(maxConcurrentRuns), ...this.#options.settings };
  }

  async #startWorkerOnce(slot: number): Promise<void> {
    const { data, workerArgs } = this.#options;
    const env = {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      HOME: data,
      HOMEWORK_DATA: data,
      HOMEWORK_LOG_LEVEL: "error",
      HOMEWORK_FIND_LOCAL_MODELS: "false",
      HOMEWORK_WORKER_CONCURRENCY: String(workerConcurrency),
      ...this.#settings(),
    };
    const child = spawn(process.execPath, [workerFile, ...workerArgs], {
      env,
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    const worker = this.#slot(slot);
    Object.assign(worker, { child, isReady: false, isFrozen: false });
    const words = listen(child);
    await Promise.race([once(child, "message"), once(child, "exit")]);
    if (hasEnded(child)) throw new Error(`a worker ended with ${child.exitCode ?? child.signalCode}:\n${words()}`);
    worker.isReady = true;
    this.#watch("a worker", child, words, async () => {
      worker.isReady = false;
      await this.#startWorker(slot);
    });
  }
}

function listen(child: ChildProcess): () => string {
  let words = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (piece) => {
      words = `${words}${piece}`.slice(-wordsMax);
    });
  return () => words;
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;
