// A database in memory: transactions with drafts of their own that nobody else sees before they commit, and locks on rows.
// Whoever watches is told of every commit, with what was there before.

import type { OutcomeId } from "../../../src/domain/homr/outcome.ts";
import type { UserId } from "../../../src/domain/identity/identity.ts";
import type { RunId } from "../../../src/domain/run/run.ts";
import type { JobNotice } from "../../../src/queue/job-notice.ts";
import type { JobAttempt, Lease } from "../../../src/runs/ports/run-store.ts";
import type { World } from "../world.ts";
import type { DocumentRow, JobRow, OutcomeRecord, RunRecord, State } from "./records.ts";
import { type LockOwner, RowLocks } from "./row-locks.ts";

/** What a transaction did, as a watcher is told of it. */
export type Commit = {
  readonly by: string;
  readonly beganAtMs: number;
  /** The database's clock was changed while it was under way. */
  readonly sawClockJump: boolean;
  readonly before: State;
  readonly runs: ReadonlyMap<RunId, RunRecord>;
  readonly outcomes: ReadonlyMap<OutcomeId, OutcomeRecord>;
  readonly jobs: ReadonlyMap<string, JobRow | null>;
  readonly documents: readonly DocumentRow[];
  /** Under which lease it wrote; null where it was none. */
  readonly lease: Lease | null;
  readonly acknowledged: readonly { readonly from: JobAttempt; readonly job: JobRow }[];
};

export type Watcher = (commit: Commit, after: State) => void;

export class MemoryDatabase implements State {
  readonly runs = new Map<RunId, RunRecord>();
  readonly outcomes = new Map<OutcomeId, OutcomeRecord>();
  readonly jobs = new Map<string, JobRow>();
  readonly documents = new Map<RunId, readonly DocumentRow[]>();
  readonly locks: RowLocks;
  readonly world: World;
  watcher: Watcher = () => {};
  /** Told after a commit what workers are told. */
  onNotice: (notice: JobNotice) => void = () => {};
  jobsMade = 0;
  #count = 0;

  constructor(world: World) {
    this.world = world;
    this.locks = new RowLocks(world);
  }

  begin(by: string, lease: Lease | null = null): MemoryTransaction {
    this.#count += 1;
    return new MemoryTransaction(this, `${by}#${this.#count}`, lease);
  }

  /** A transaction that is committed when `work` is done, and undone when it throws. */
  async run<T>(by: string, lease: Lease | null, work: (tx: MemoryTransaction) => Promise<T>): Promise<T> {
    const tx = this.begin(by, lease);
    try {
      const result = await work(tx);
      tx.commit();
      return result;
    } catch (thrown) {
      tx.rollBack();
      throw thrown;
    }
  }
}

export class MemoryTransaction implements LockOwner {
  readonly name: string;
  readonly held = new Set<string>();
  waitsFor: string | null = null;
  readonly lease: Lease | null;
  readonly #database: MemoryDatabase;
  readonly #runs = new Map<RunId, RunRecord>();
  readonly #outcomes = new Map<OutcomeId, OutcomeRecord>();
  readonly #jobs = new Map<string, JobRow | null>();
  readonly #documents: DocumentRow[] = [];
  readonly #acknowledged: { from: JobAttempt; job: JobRow }[] = [];
  readonly #notices: JobNotice[] = [];
  readonly #beganAtMs: number;
  readonly #clockOffMs: number;

  constructor(database: MemoryDatabase, name: string, lease: Lease | null) {
    this.#database = database;
    this.name = name;
    this.lease = lease;
    this.#beganAtMs = database.world.databaseNowMs;
    this.#clockOffMs = database.world.databaseClockOffMs;
  }

  get nowMs(): number {
    return this.#database.world.databaseNowMs;
  }

  lock(kind: "outcome" | "user" | "run" | "feed" | "call" | "job", id: string): Promise<void> {
    return this.#database.locks.acquire(this, `${kind}:${id}`);
  }

  isLockedByAnother(kind: "job" | "run", id: string): boolean {
    return this.#database.locks.isHeld(`${kind}:${id}`) && !this.held.has(`${kind}:${id}`);
  }

  find(runId: RunId): RunRecord | null {
    return this.#runs.get(runId) ?? this.#database.runs.get(runId) ?? null;
  }

  put(record: RunRecord): void {
    this.#runs.set(record.run.id, record);
  }

  findOutcome(id: OutcomeId): OutcomeRecord | null {
    return this.#outcomes.get(id) ?? this.#database.outcomes.get(id) ?? null;
  }

  putOutcome(record: OutcomeRecord): void {
    this.#outcomes.set(record.outcome.id, record);
  }

  allOutcomes(): readonly OutcomeRecord[] {
    return [...new Map([...this.#database.outcomes, ...this.#outcomes]).values()];
  }

  runsOf(userId: UserId): readonly RunRecord[] {
    const merged = new Map([...this.#database.runs, ...this.#runs]);
    return [...merged.values()].filter(({ run }) => run.userId === userId);
  }

  findJob(id: string): JobRow | null {
    const draft = this.#jobs.get(id);
    return draft === undefined ? (this.#database.jobs.get(id) ?? null) : draft;
  }

  nextOrder(): number {
    this.#database.jobsMade += 1;
    return this.#database.jobsMade;
  }

  allJobs(): readonly JobRow[] {
    return [...new Map<string, JobRow | null>([...this.#database.jobs, ...this.#jobs]).values()].filter(
      (job) => job !== null,
    );
  }

  /** Null: it is over. */
  putJob(id: string, job: JobRow | null): void {
    this.#jobs.set(id, job);
  }

  acknowledged(from: JobAttempt, job: JobRow): void {
    this.#acknowledged.push({ from, job });
  }

  write(document: DocumentRow): void {
    this.#documents.push(document);
  }

  notice(notice: JobNotice): void {
    this.#notices.push(notice);
  }

  commit(): void {
    const { runs, outcomes, jobs, documents, watcher, onNotice } = this.#database;
    // What this changes is copied, the rest is as it was anyway.
    const before: State = {
      runs: this.#runs.size > 0 ? new Map(runs) : runs,
      outcomes: this.#outcomes.size > 0 ? new Map(outcomes) : outcomes,
      jobs: this.#jobs.size > 0 ? new Map(jobs) : jobs,
      documents: this.#documents.length > 0 ? new Map(documents) : documents,
    };
    for (const [id, record] of this.#runs) runs.set(id, record);
    for (const [id, record] of this.#outcomes) outcomes.set(id, record);
    for (const [id, job] of this.#jobs) {
      if (job === null) jobs.delete(id);
      else jobs.set(id, job);
    }
    for (const document of this.#documents)
      documents.set(document.runId, [...(documents.get(document.runId) ?? []), document]);
    this.#database.locks.releaseAll(this);
    if (this.#runs.size + this.#outcomes.size + this.#jobs.size + this.#documents.length > 0)
      watcher(
        {
          by: this.name,
          beganAtMs: this.#beganAtMs,
          sawClockJump: this.#clockOffMs !== this.#database.world.databaseClockOffMs,
          before,
          runs: this.#runs,
          outcomes: this.#outcomes,
          jobs: this.#jobs,
          documents: this.#documents,
          lease: this.lease,
          acknowledged: this.#acknowledged,
        },
        this.#database,
      );
    for (const notice of this.#notices) onNotice(notice);
  }

  rollBack(): void {
    this.#database.locks.releaseAll(this);
  }
}
