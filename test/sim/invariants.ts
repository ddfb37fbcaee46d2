// Watches every commit of a simulation and looks for what must never be; and, when everything has come to rest, for what
// must have happened by then. It knows rows and the books of the outside, not the code that wrote them.

import type { RunEventKind } from "../../src/domain/run/events.ts";
import type { RunId } from "../../src/domain/run/run.ts";
import type { Limits } from "../../src/runs/carry-out.ts";
import { CallChecks } from "./invariants/call-checks.ts";
import { type Folded, fold, nothingFolded } from "./invariants/fold-events.ts";
import { findInMove } from "./invariants/move-checks.ts";
import { QueueChecks } from "./invariants/queue-checks.ts";
import { type Finding, findInRun } from "./invariants/run-checks.ts";
import type { Commit, MemoryDatabase } from "./memory/memory-database.ts";
import {
  aboutOf,
  type DocumentRow,
  hasSlot,
  isInLine,
  type JobRow,
  type RunRecord,
  type State,
} from "./memory/records.ts";
import type { CountedCall, Outside } from "./provider.ts";
import type { World } from "./world.ts";

/** A dead worker's job is someone else's within fifteen seconds; a look every second may come a little later. */
const takenOverMs = 17_000;

type Work = { readonly record: RunRecord; readonly documents: readonly DocumentRow[] };

function isSameWork(before: Work | undefined, { record, documents }: Work): boolean {
  if (before === undefined || before.documents !== documents) return false;
  const { run, entries, calls, messages, iterations, leasedAtMs } = before.record;
  return (
    entries === record.entries &&
    calls === record.calls &&
    messages === record.messages &&
    iterations === record.iterations &&
    leasedAtMs === record.leasedAtMs &&
    run === record.run
  );
}

export class Watch {
  iterations = 0;
  readonly #world: World;
  readonly #outside: Outside;
  readonly #database: MemoryDatabase;
  readonly #limits: Limits;
  readonly #folded = new Map<RunId, { readonly folded: Folded; readonly count: number }>();
  readonly #queue = new QueueChecks();
  readonly #calls = new CallChecks();
  readonly #looked = new Map<RunId, Work>();
  /** Fences that were taken, by worker and run. */
  readonly #fences = new Map<string, number[]>();

  constructor(world: World, outside: Outside, database: MemoryDatabase, limits: Limits) {
    this.#world = world;
    this.#outside = outside;
    this.#database = database;
    this.#limits = limits;
    database.watcher = (commit, after) => this.#see(commit, after);
    outside.onCall = (call) => this.#seeCall(call);
    watchActs(world, outside);
    watchLasting(world, outside, database);
  }

  /** From now on nothing goes wrong: whoever waits, waits for a reason. */
  calm(): void {
    this.#queue.calm();
    if (this.#world.faults.counts.clock_jump > 0) return;
    const { timeline } = this.#world;
    timeline.at(timeline.nowMs + 75_000, () => {
      for (const { id, state, heartbeatMs } of this.#database.jobs.values()) {
        const silentMs = this.#world.databaseNowMs - heartbeatMs;
        if (state === "active" && silentMs > takenOverMs)
          this.#world.report("L2 the_dead_are_replaced", `job ${id}: ${silentMs} ms without a sign of life`);
      }
    });
  }

  /** Also of whoever froze in the middle of a transaction. */
  isAtRest(): boolean {
    const { jobs, locks } = this.#database;
    return jobs.size === 0 && locks.isIdle && [...this.#database.runs.values()].every(isResting);
  }

  #see(commit: Commit, after: State): void {
    const world = this.#world;
    const by = commit.by.split("#")[0] ?? "";
    if (commit.runs.size > 0) world.trace(`${by} commits ${[...commit.runs.keys()].join()}`);
    const findings: Finding[] = [...this.#queue.find(commit, () => this.#takeable(after), world.databaseNowMs)];
    for (const [runId, record] of commit.runs) {
      findings.push(...this.#fold(record));
      const before = commit.before.runs.get(runId);
      findings.push(...this.#calls.findInCommit(before, record, world.nowMs));
      if (before === undefined) continue;
      const endedUnder = this.#endedUnder(by, before, record);
      findings.push(...findInMove({ commit, before, after: record, endedUnder, databaseNowMs: world.databaseNowMs }));
    }
    for (const runId of affected(commit)) findings.push(...this.#findIn(runId, after));
    findings.push(...this.#slots(commit, after));
    for (const [invariant, detail] of findings) world.report(invariant, `${detail} (${commit.by})`);
  }

  /** Open jobs that nobody has locked: a worker that froze over one keeps the others from it. */
  #takeable({ jobs }: State): readonly JobRow[] {
    return [...jobs.values()].filter(({ id }) => !this.#database.locks.isHeld(`job:${id}`));
  }

  /** New events, numbered on and possible. */
  #fold({ run, events }: RunRecord): readonly Finding[] {
    const known = this.#folded.get(run.id) ?? { folded: nothingFolded, count: 0 };
    let { folded } = known;
    const findings: Finding[] = [];
    for (const [at, { seq, event }] of events.slice(known.count).entries()) {
      if (seq !== known.count + at + 1) findings.push(["S6 events_without_gaps", `${seq} after ${known.count + at}`]);
      const next = fold(folded, event);
      if (typeof next === "string") findings.push(["S1 allowed_moves", next]);
      else folded = next;
      if (event.type === "iteration_completed") this.iterations += 1;
    }
    this.#folded.set(run.id, { folded, count: events.length });
    return findings;
  }

  /** The fence of the worker who ended an iteration, or broke it off for a provider; null where nobody did. */
  #endedUnder(by: string, before: RunRecord, after: RunRecord): number | null {
    const taken = `${by}/${after.run.id}`;
    const fences = this.#fences.get(taken) ?? [];
    const added = after.events.slice(before.events.length).map(({ event }) => event);
    const types = added.map(({ type }): RunEventKind => type);
    const isRefused = added.some((event) => event.type === "run_stopped" && event.reason.startsWith("provider_"));
    if (types.includes("iteration_started")) this.#fences.set(taken, [...fences, after.run.fence]);
    if (!types.includes("iteration_completed") && !types.includes("run_holding") && !isRefused) return null;
    return fences.includes(before.run.fence) ? before.run.fence : (fences.at(-1) ?? -1);
  }

  #findIn(runId: RunId, after: State): readonly Finding[] {
    const record = after.runs.get(runId);
    if (record === undefined) return [["S3 no_job_without_a_run", runId]];
    const documents = after.documents.get(runId) ?? [];
    const isOnlyMoved = isSameWork(this.#looked.get(runId), { record, documents });
    this.#looked.set(runId, { record, documents });
    return findInRun({
      isOnlyMoved,
      record,
      jobs: [...after.jobs.values()].filter((job) => aboutOf(job)?.runId === runId),
      documents,
      folded: this.#folded.get(runId)?.folded ?? nothingFolded,
      calls: this.#outside.calls,
    });
  }

  /** S22: never more at once than allowed, and no slot lies idle while someone waits for it. */
  #slots(commit: Commit, after: State): readonly Finding[] {
    const users = new Set([...commit.runs.values()].map(({ run }) => run.userId));
    return [...users].flatMap((userId) => {
      const theirs = [...after.runs.values()].filter(({ run }) => run.userId === userId);
      const [slots, waiting] = [theirs.filter(hasSlot).length, theirs.filter(isInLine).length];
      const { maxConcurrentRuns: max } = this.#limits;
      const findings: Finding[] = [];
      if (slots > max) findings.push(["S22 slots_within_limit", `${slots} of ${max}`]);
      if (waiting > 0 && slots < max)
        findings.push(["L4 no_slot_lies_idle", `${waiting} wait, ${slots} of ${max} taken`]);
      return findings;
    });
  }

  /** S9: the reservation is there before the call; S14: what is journaled is not asked again; S11: there is room for it. */
  #seeCall(counted: CountedCall): void {
    const { callId, runId, iteration, key } = counted;
    const record = this.#database.runs.get(runId);
    const call = record?.calls.find((each) => each.callId === callId);
    if (record === undefined || call === undefined) {
      this.#world.report("S9 reserved_before_the_call", `${key} of iteration ${iteration}`);
      return;
    }
    for (const [invariant, detail] of this.#calls.findInCall(counted, record, call.fence))
      this.#world.report(invariant, detail);
    const isOurs = call.state === "reserved" && call.fence === record.run.fence;
    const { budget, spent } = record.run;
    const open = record.calls.filter(({ state }) => state === "reserved");
    const most = open.reduce((sum, { reservedMicroUsd }) => sum + reservedMicroUsd, spent.costMicroUsd);
    if (isOurs && budget.isCostHard && budget.maxCostMicroUsd !== null && most > budget.maxCostMicroUsd)
      this.#world.report("S11 hard_limit_holds", `${most} of ${budget.maxCostMicroUsd} once all are answered`);
    if (
      isOurs &&
      record.entries.some((entry) => entry.iteration === iteration && [key, `${key}/failed`].includes(entry.key))
    )
      this.#world.report("S14 no_entry_is_done_again", `${key} of iteration ${iteration} is asked although journaled`);
  }
}

/** S14: what cannot be repeated happens once; what can, under one key. */
export function watchActs(world: World, outside: Outside): void {
  outside.onAct = ({ op, isRepeatable }) => {
    const keys = outside.acts.filter((act) => act.op === op).map(({ idempotencyKey }) => idempotencyKey);
    const isWrong = isRepeatable ? new Set(keys).size > 1 : keys.length > 1;
    if (isWrong) world.report("S14 no_effect_is_repeated_blindly", `${op}: ${keys.join()}`);
  };
}

/** S14: what goes on without us is started once, and not waited for any more once its end is known. */
function watchLasting(world: World, outside: Outside, state: State): void {
  outside.onStart = ({ op }) => {
    const starts = outside.lasting.filter((each) => each.op === op).length;
    if (starts > 1) world.report("S14 what_lasts_is_started_once", `${op}: ${starts} times`);
  };
  outside.onAdopt = ({ op }, fence) => {
    const [runId = "", iteration = "", ...key] = op.split(":");
    const record = state.runs.get(runId as RunId);
    if (record?.run.fence !== fence) return;
    const entry = record.entries.find((entry) => entry.iteration === Number(iteration) && entry.key === key.join(":"));
    if (entry?.state === "done") world.report("S14 a_result_is_taken_once", `${op} is done already`);
  };
}

/** Runs that changed, or whose open jobs did. */
function affected({ runs, jobs, before }: Commit): ReadonlySet<RunId> {
  const ofJobs = [...jobs].flatMap(([id, job]): RunId[] => {
    const was: JobRow | undefined = before.jobs.get(id);
    const changed = (was === undefined) !== (job === null);
    const about = job ?? was ?? null;
    return changed || about === null ? [] : [aboutOf(about)?.runId ?? []].flat();
  });
  return new Set([...runs.keys(), ...ofJobs]);
}

const resting = ["completed", "failed", "canceled", "stopped", "waiting_on_user"];
const isResting = ({ run }: RunRecord): boolean => resting.includes(run.state.status);

/** Everything that must be true of these runs as they are, from their rows alone. */
export function checkRows(world: World, outside: Outside, { runs, jobs, documents }: State): void {
  for (const [runId, record] of runs) {
    let folded = nothingFolded;
    for (const { event } of record.events) {
      const next = fold(folded, event);
      if (typeof next === "string") world.report("S1 allowed_moves", next);
      else folded = next;
    }
    const open = [...jobs.values()].filter((job) => aboutOf(job)?.runId === runId);
    const seen = { record, jobs: open, documents: documents.get(runId) ?? [], folded, calls: outside.calls };
    for (const [invariant, detail] of findInRun(seen)) world.report(invariant, `${runId}: ${detail}`);
  }
}

/** After the calm: L1 every run has come to rest, L5 nothing is left open. */
export function checkAtRest(world: World, outside: Outside, { runs, jobs }: State): void {
  for (const [id, { run, calls }] of runs) {
    if (!resting.includes(run.state.status))
      world.report("L1 every_run_comes_to_rest", `${id}: ${JSON.stringify(run.state)}`);
    const open = calls.filter(({ state }) => state === "reserved");
    if (open.length > 0) world.report("S9 every_call_is_settled", `${id} ${run.state.status}: ${open.length} are not`);
  }
  if (jobs.size > 0) world.report("L1 every_run_comes_to_rest", `${jobs.size} jobs are open`);
  const known = new Set([...runs.values()].flatMap(({ calls }) => calls.map(({ callId }) => callId)));
  for (const { callId } of outside.calls.values())
    if (!known.has(callId)) world.report("S9 every_call_is_in_the_ledger", callId);
}
