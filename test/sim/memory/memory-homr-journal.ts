// The journal of a turn in memory: as much of one as HOMЯ uses. The outcome is locked where the SQL locks it, and the turn under it.

import type { HomrLease, JournalStore, ModelCall, RecordedEntry, Usage } from "../../../src/runs/ports/run-store.ts";
import type { MemoryDatabase, MemoryTransaction } from "./memory-database.ts";
import type { MemoryWrites } from "./memory-journal-store.ts";
import { foundOutcome, withTurn } from "./memory-outcome-tx.ts";
import { type EntryRow, type TurnRow, underWay } from "./records.ts";
import type { Rules } from "./rules.ts";

export function memoryHomrJournal(
  database: MemoryDatabase,
  rules: Rules,
  by: string,
): JournalStore<MemoryWrites, HomrLease> {
  const run = <T>(work: (tx: MemoryTransaction) => Promise<T>) => database.run(by, null, work);
  const notUsed = async (): Promise<never> => {
    throw new Error("bug: a turn of HOMЯ acts on nothing outside");
  };
  return {
    recordEntry: (lease, entry) =>
      run(async (tx) => {
        const turn = await held(tx, lease);
        if (turn === null) return "lost";
        tx.putOutcome(withTurn(foundOutcome(tx, lease.outcomeId), withEntry(tx, turn, lease, entry)));
        return "kept";
      }),
    reserveCall: (lease, call) =>
      run(async (tx) => {
        const turn = await held(tx, lease);
        if (turn === null) return "lost";
        const { callId, key, reservedMicroUsd } = call;
        const row = { callId, key, reservedMicroUsd, iteration: lease.turn, fence: lease.fence, atMs: tx.nowMs };
        const calls = [...turn.calls, { ...row, state: "reserved" as const, ...underWay }];
        tx.putOutcome(withTurn(foundOutcome(tx, lease.outcomeId), { ...turn, calls }));
        return "kept";
      }),
    settleCall: (lease, call, usage, entry) => run((tx) => settle(tx, rules, lease, call, usage, entry)),
    // What is told of it nobody reads in a simulation.
    noteSilence: async () => "kept",
    isAtWork: (lease) => run(async (tx) => turnOf(tx, lease)?.state === "running"),
    recordWrites: notUsed,
    intendEffect: notUsed,
    keepHandle: notUsed,
    finishEffect: notUsed,
    hear: async () => [],
  };
}

const turnOf = (tx: MemoryTransaction, { outcomeId, turn }: HomrLease): TurnRow | null =>
  tx.findOutcome(outcomeId)?.turns.find((each) => each.turn === turn) ?? null;

const isOurs = (turn: TurnRow, { fence }: HomrLease) => turn.fence === fence && turn.state === "running";

/** The record is one, so its lock stands for the turn's. */
async function held(tx: MemoryTransaction, lease: HomrLease): Promise<TurnRow | null> {
  await tx.lock("outcome", lease.outcomeId);
  const turn = turnOf(tx, lease);
  return turn !== null && isOurs(turn, lease) ? turn : null;
}

function withEntry(tx: MemoryTransaction, turn: TurnRow, { fence }: HomrLease, entry: RecordedEntry): TurnRow {
  if (turn.entries.some(({ key }) => key === entry.key)) throw new Error(`duplicate key: entry ${entry.key}`);
  const { key, lane, kind, result } = entry;
  const row: EntryRow = {
    ...{ iteration: turn.turn, key, kind, fence, handle: null, atMs: tx.nowMs },
    lane: lane.id,
    state: "done",
    result: JSON.parse(JSON.stringify(result ?? null)),
  };
  return { ...turn, entries: [...turn.entries, row] };
}

async function settle(
  tx: MemoryTransaction,
  rules: Rules,
  lease: HomrLease,
  { callId }: ModelCall,
  usage: Usage | "unknown",
  entry: RecordedEntry | null,
): Promise<"kept" | "lost"> {
  await tx.lock("outcome", lease.outcomeId);
  const turn = turnOf(tx, lease);
  const call = turn?.calls.find((each) => each.callId === callId);
  if (turn === null || call === undefined || !rules.isSettleable(call)) return "lost";
  const paid = {
    ...call,
    state: usage === "unknown" ? ("unknown" as const) : ("settled" as const),
    costMicroUsd: usage === "unknown" ? rules.chargeFor(call, "failed") : usage.costMicroUsd,
    tokens: usage === "unknown" ? 0 : usage.inputTokens + usage.outputTokens,
  };
  const after = { ...turn, calls: turn.calls.map((each) => (each === call ? paid : each)) };
  const ours = isOurs(turn, lease);
  tx.putOutcome(
    withTurn(foundOutcome(tx, lease.outcomeId), ours && entry ? withEntry(tx, after, lease, entry) : after),
  );
  return ours ? "kept" : "lost";
}
