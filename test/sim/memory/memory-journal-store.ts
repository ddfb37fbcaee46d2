// The journal and the ledger in memory: each operation is one transaction under the lease's fence, and locks rows in
// the order in which the SQL of src/store/journal/journal-store.ts does.

import type {
  EndedEffect,
  EntryHead,
  JournalStore,
  Kept,
  Lease,
  ModelCall,
  RecordedEntry,
  RunMessage,
  Usage,
} from "../../../src/runs/ports/run-store.ts";
import { tellSilence } from "../../../src/runs/tell-silence.ts";
import type { MemoryDatabase, MemoryTransaction } from "./memory-database.ts";
import { withEvents } from "./memory-events.ts";
import { found, memoryTransactions } from "./memory-run-tx.ts";
import { type DocumentRow, type EntryRow, type MessageRow, type RunRecord, underWay } from "./records.ts";
import type { FencedOperation, Rules } from "./rules.ts";

/** What an entry may write. */
export type MemoryWrites = { readonly write: (document: Pick<DocumentRow, "id" | "key">) => Promise<void> };

/** Thrown to undo the writes of an entry whose lease is gone. */
class LeaseLost extends Error {}

export function memoryJournalStore(database: MemoryDatabase, rules: Rules, by: string): JournalStore<MemoryWrites> {
  /** The run, locked, if it is still ours; `operation` says for what. */
  const fenced = async (tx: MemoryTransaction, operation: FencedOperation, lease: Lease): Promise<RunRecord | null> => {
    await tx.lock("run", lease.runId);
    const record = found(tx, lease.runId);
    return rules.isOurs(operation, lease, record) ? record : null;
  };
  const run = <T>(lease: Lease, work: (tx: MemoryTransaction) => Promise<T>) => database.run(by, lease, work);
  return {
    recordEntry: (lease, entry) =>
      run(lease, async (tx) => keep(tx, await fenced(tx, "recordEntry", lease), lease, entry, rules)),
    recordWrites: async (lease, work) => {
      try {
        return await run(lease, async (tx) => {
          const entry = await work({
            write: async (document) =>
              tx.write({ ...document, runId: lease.runId, iteration: lease.iteration, fence: lease.fence }),
          });
          const kept = keep(tx, await fenced(tx, "recordWrites", lease), lease, entry, rules);
          if (kept === "lost") throw new LeaseLost();
          return kept;
        });
      } catch (thrown) {
        if (thrown instanceof LeaseLost) return "lost";
        throw thrown;
      }
    },
    reserveCall: (lease, call) =>
      run(lease, async (tx) => {
        const record = await fenced(tx, "reserveCall", lease);
        if (record === null) return "lost";
        return reserve(tx, record, lease, call, rules);
      }),
    settleCall: (lease, call, usage, entry, error = null) =>
      run(lease, (tx) => settle(tx, lease, call, usage, { entry, error }, rules)),
    noteSilence: (lease, call, silence) => tellSilence(memoryTransactions(database, rules, by), lease, call, silence),
    intendEffect: (lease, head) =>
      run(lease, async (tx) => {
        const record = await fenced(tx, "intendEffect", lease);
        if (record === null) return "lost";
        if (findEntry(record, lease.iteration, head.key) === null)
          tx.put(
            counted(
              withEntry(record, { ...entryOf(lease, head, tx.nowMs), kind: "effect", state: "intended", result: null }),
            ),
          );
        return "kept";
      }),
    keepHandle: (lease, { key }, handle) =>
      run(lease, async (tx) => keepHandle(tx, await fenced(tx, "keepHandle", lease), lease, key, handle)),
    isAtWork: (lease) =>
      run(lease, async (tx) => {
        const { state } = found(tx, lease.runId).run;
        return state.status === "running" && state.iteration === lease.iteration;
      }),
    finishEffect: (lease, head, ended) =>
      run(lease, async (tx) => finish(tx, await fenced(tx, "finishEffect", lease), lease, head, ended, rules)),
    hear: async (lease, head, shown) => {
      // Most of the time there is nothing new; then nothing is locked.
      const there = database.runs.get(lease.runId)?.messages ?? [];
      if (!there.some((message) => isNewFor(message, lease, shown))) return [];
      return run(lease, async (tx) => hear(tx, await fenced(tx, "hear", lease), lease, head, shown, rules));
    },
  };
}

const counted = (record: RunRecord): RunRecord => {
  const { spent } = record.run;
  return { ...record, run: { ...record.run, spent: { ...spent, toolCalls: spent.toolCalls + 1 } } };
};

/** As it comes back out of a database. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

const entryOf = ({ iteration, fence }: Lease, { key, lane }: Pick<EntryHead, "key" | "lane">, atMs: number) => ({
  iteration,
  key,
  lane: lane.id,
  fence,
  atMs,
  handle: null,
});

const findEntry = ({ entries }: RunRecord, iteration: number, key: string): EntryRow | null =>
  entries.find((entry) => entry.iteration === iteration && entry.key === key) ?? null;

function withEntry(record: RunRecord, entry: EntryRow): RunRecord {
  if (findEntry(record, entry.iteration, entry.key) !== null)
    throw new Error(`duplicate key: entry ${entry.key} of iteration ${entry.iteration}`);
  return { ...record, entries: [...record.entries, entry] };
}

function keep(tx: MemoryTransaction, record: RunRecord | null, lease: Lease, entry: RecordedEntry, rules: Rules): Kept {
  if (record === null) return "lost";
  const { kind, result, event } = entry;
  const after = kind === "tool" ? counted(record) : record;
  const row: EntryRow = { ...entryOf(lease, entry, tx.nowMs), kind, state: "done", result: asJson(result) };
  tx.put(withEvents(withEntry(after, row), event === null ? [] : [event], rules));
  return "kept";
}

function reserve(
  tx: MemoryTransaction,
  record: RunRecord,
  { iteration, fence }: Lease,
  call: ModelCall,
  rules: Rules,
): "kept" | "refused" {
  if (!rules.hasRoom(record, call)) return "refused";
  const { callId, key, reservedMicroUsd } = call;
  const row = { callId, iteration, key, fence, state: "reserved", reservedMicroUsd, atMs: tx.nowMs } as const;
  tx.put({ ...record, calls: [...record.calls, { ...row, ...underWay }] });
  return "kept";
}

async function settle(
  tx: MemoryTransaction,
  lease: Lease,
  { callId, model }: ModelCall,
  usage: Usage | "unknown",
  { entry, error }: { readonly entry: RecordedEntry | null; readonly error: string | null },
  rules: Rules,
): Promise<Kept> {
  await rules.lockToSettle(tx, lease.runId, callId);
  const record = found(tx, lease.runId);
  const call = record.calls.find((each) => each.callId === callId);
  if (call === undefined || !rules.isSettleable(call)) return "lost";
  const costMicroUsd = usage === "unknown" ? rules.chargeFor(call, "failed") : usage.costMicroUsd;
  const tokens = usage === "unknown" ? 0 : usage.inputTokens + usage.outputTokens;
  const state = usage === "unknown" ? ("unknown" as const) : ("settled" as const);
  const ended = { state, endedAtMs: tx.nowMs, isFailed: error !== null };
  const { spent } = record.run;
  const total = { ...spent, costMicroUsd: spent.costMicroUsd + costMicroUsd, tokens: spent.tokens + tokens };
  const paid: RunRecord = {
    ...record,
    run: { ...record.run, spent: total },
    calls: record.calls.map((each) => (each.callId === callId ? { ...each, ...ended, costMicroUsd, tokens } : each)),
  };
  const told = withEvents(
    paid,
    [
      {
        type: "iteration_cost_update",
        iteration: call.iteration,
        model,
        cost_micro_usd: costMicroUsd,
        priced_by: usage === "unknown" ? "reservation" : usage.pricedBy,
        tokens,
        total_cost_micro_usd: total.costMicroUsd,
        total_tokens: total.tokens,
      },
    ],
    rules,
  );
  const isOurs = rules.isOurs("settleCall", lease, record);
  const row = entry && {
    ...entryOf(lease, entry, tx.nowMs),
    kind: "model",
    state: "done",
    result: asJson(entry.result),
  };
  tx.put(isOurs && row ? withEntry(told, row as EntryRow) : told);
  return isOurs ? "kept" : "lost";
}

function keepHandle(
  tx: MemoryTransaction,
  record: RunRecord | null,
  { iteration }: Lease,
  key: string,
  handle: unknown,
): Kept {
  if (record === null) return "lost";
  const there = findEntry(record, iteration, key);
  const entries = record.entries.map((entry) => (entry === there ? { ...entry, handle: asJson(handle) } : entry));
  if (there?.state === "intended") tx.put({ ...record, entries });
  return "kept";
}

function finish(
  tx: MemoryTransaction,
  record: RunRecord | null,
  lease: Lease,
  { key }: EntryHead,
  ended: EndedEffect,
  rules: Rules,
): Kept {
  if (record === null) return "lost";
  const result = ended.kind === "done" ? asJson(ended.result) : null;
  const entries = record.entries.map((entry) =>
    entry.iteration === lease.iteration && entry.key === key && entry.state === "intended"
      ? { ...entry, state: ended.kind, result }
      : entry,
  );
  const { iteration } = lease;
  const summary = ended.kind === "done" ? ended.did : "uncertain";
  const event = { type: "entry_recorded", iteration, entry: key, summary } as const;
  tx.put(withEvents({ ...record, entries }, [event], rules));
  return "kept";
}

const isNewFor = ({ id, consumedIteration }: MessageRow, { iteration }: Lease, shown: readonly string[]): boolean =>
  consumedIteration === null || (consumedIteration === iteration && !shown.includes(id));

function hear(
  tx: MemoryTransaction,
  record: RunRecord | null,
  lease: Lease,
  head: EntryHead,
  shown: readonly string[],
  rules: Rules,
): readonly RunMessage[] | "lost" {
  if (record === null) return "lost";
  const { iteration } = lease;
  const messages = record.messages.map((each) =>
    each.consumedIteration === null ? { ...each, consumedIteration: iteration } : each,
  );
  const heard = messages.filter((each) => each.consumedIteration === iteration && !shown.includes(each.id));
  if (heard.length === 0) return [];
  const said = heard.map(({ askedIn: _, consumedIteration: __, ...message }): RunMessage => message);
  const after = { ...record, messages, run: { ...record.run, unreadMessages: 0 } };
  const event = { type: "entry_recorded", iteration, entry: head.key, summary: "heard", unread: 0 } as const;
  const row: EntryRow = {
    ...entryOf(lease, head, tx.nowMs),
    kind: "platform",
    state: "done",
    result: asJson({ result: said, artifacts: [] }),
  };
  tx.put(withEvents(withEntry(after, row), [event], rules));
  return said;
}
