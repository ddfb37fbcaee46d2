// The step journal and the ledger in memory: each operation is one transaction under the claim's fence, and locks rows in
// the order in which the SQL of src/store/journal-store.ts does.

import type {
  Claim,
  EndedEffect,
  EntryHead,
  Kept,
  ModelCall,
  RecordedStep,
  Signal,
  StepStore,
  Usage,
} from "../../../src/runs/ports/run-store.ts";
import type { MemoryDatabase, MemoryTransaction } from "./memory-database.ts";
import { withEvents } from "./memory-events.ts";
import { found } from "./memory-run-tx.ts";
import type { DocumentRow, RunRecord, SignalRow, StepRow } from "./records.ts";
import type { FencedStep, Rules } from "./rules.ts";

/** What a step may write. */
export type MemoryWrites = { readonly write: (document: Pick<DocumentRow, "id" | "key">) => Promise<void> };

/** Thrown to undo the writes of a step whose claim is gone. */
class ClaimGone extends Error {}

export function memoryStepStore(database: MemoryDatabase, rules: Rules, by: string): StepStore<MemoryWrites> {
  /** The run, locked, if it is still ours; `step` says for what. */
  const fenced = async (tx: MemoryTransaction, step: FencedStep, claim: Claim): Promise<RunRecord | null> => {
    await tx.lock("run", claim.runId);
    const record = found(tx, claim.runId);
    return rules.isOurs(step, claim, record) ? record : null;
  };
  const run = <T>(claim: Claim, work: (tx: MemoryTransaction) => Promise<T>) => database.run(by, claim, work);
  return {
    recordStep: (claim, step) =>
      run(claim, async (tx) => keep(tx, await fenced(tx, "recordStep", claim), claim, step, rules)),
    recordWrites: async (claim, work) => {
      try {
        return await run(claim, async (tx) => {
          const step = await work({
            write: async (document) =>
              tx.write({ ...document, runId: claim.runId, iteration: claim.iteration, fence: claim.fence }),
          });
          const kept = keep(tx, await fenced(tx, "recordWrites", claim), claim, step, rules);
          if (kept === "lost") throw new ClaimGone();
          return kept;
        });
      } catch (thrown) {
        if (thrown instanceof ClaimGone) return "lost";
        throw thrown;
      }
    },
    reserveCall: (claim, call) =>
      run(claim, async (tx) => {
        const record = await fenced(tx, "reserveCall", claim);
        if (record === null) return "lost";
        return reserve(tx, record, claim, call, rules);
      }),
    settleCall: (claim, call, usage, step) => run(claim, (tx) => settle(tx, claim, call, usage, step, rules)),
    intendEffect: (claim, head) =>
      run(claim, async (tx) => {
        const record = await fenced(tx, "intendEffect", claim);
        if (record === null) return "lost";
        if (findStep(record, claim.iteration, head.key) === null)
          tx.put(
            counted(
              withStep(record, { ...stepOf(claim, head, tx.nowMs), kind: "effect", state: "intended", result: null }),
            ),
          );
        return "kept";
      }),
    keepHandle: (claim, { key }, handle) =>
      run(claim, async (tx) => keepHandle(tx, await fenced(tx, "keepHandle", claim), claim, key, handle)),
    isAtWork: (claim) =>
      run(claim, async (tx) => {
        const { state } = found(tx, claim.runId).run;
        return state.status === "running" && state.iteration === claim.iteration;
      }),
    finishEffect: (claim, head, ended) =>
      run(claim, async (tx) => finish(tx, await fenced(tx, "finishEffect", claim), claim, head, ended, rules)),
    hear: async (claim, head, shown) => {
      // Most of the time there is nothing new; then nothing is locked.
      const there = database.runs.get(claim.runId)?.signals ?? [];
      if (!there.some((signal) => isNewFor(signal, claim, shown))) return [];
      return run(claim, async (tx) => hear(tx, await fenced(tx, "hear", claim), claim, head, shown, rules));
    },
  };
}

const counted = (record: RunRecord): RunRecord => {
  const { spent } = record.run;
  return { ...record, run: { ...record.run, spent: { ...spent, toolCalls: spent.toolCalls + 1 } } };
};

/** As it comes back out of a database. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

const stepOf = ({ iteration, fence }: Claim, { key, lane }: Pick<EntryHead, "key" | "lane">, atMs: number) => ({
  iteration,
  key,
  lane: lane.id,
  fence,
  atMs,
  handle: null,
});

const findStep = ({ steps }: RunRecord, iteration: number, key: string): StepRow | null =>
  steps.find((step) => step.iteration === iteration && step.key === key) ?? null;

function withStep(record: RunRecord, step: StepRow): RunRecord {
  if (findStep(record, step.iteration, step.key) !== null)
    throw new Error(`duplicate key: step ${step.key} of iteration ${step.iteration}`);
  return { ...record, steps: [...record.steps, step] };
}

function keep(tx: MemoryTransaction, record: RunRecord | null, claim: Claim, step: RecordedStep, rules: Rules): Kept {
  if (record === null) return "lost";
  const { kind, result, event } = step;
  const after = kind === "tool" ? counted(record) : record;
  const row: StepRow = { ...stepOf(claim, step, tx.nowMs), kind, state: "done", result: asJson(result) };
  tx.put(withEvents(withStep(after, row), event === null ? [] : [event], rules));
  return "kept";
}

function reserve(
  tx: MemoryTransaction,
  record: RunRecord,
  { iteration, fence }: Claim,
  call: ModelCall,
  rules: Rules,
): "kept" | "refused" {
  if (!rules.hasRoom(record, call)) return "refused";
  const { callId, key, reservedMicroUsd } = call;
  const row = { callId, iteration, key, fence, state: "reserved", reservedMicroUsd, atMs: tx.nowMs } as const;
  tx.put({ ...record, calls: [...record.calls, { ...row, costMicroUsd: 0, tokens: 0 }] });
  return "kept";
}

async function settle(
  tx: MemoryTransaction,
  claim: Claim,
  { callId, model }: ModelCall,
  usage: Usage | "unknown",
  step: RecordedStep | null,
  rules: Rules,
): Promise<Kept> {
  await rules.lockToSettle(tx, claim.runId, callId);
  const record = found(tx, claim.runId);
  const call = record.calls.find((each) => each.callId === callId);
  if (call === undefined || !rules.isSettleable(call)) return "lost";
  const costMicroUsd = usage === "unknown" ? rules.chargeFor(call, "failed") : usage.costMicroUsd;
  const tokens = usage === "unknown" ? 0 : usage.inputTokens + usage.outputTokens;
  const state = usage === "unknown" ? ("unknown" as const) : ("settled" as const);
  const { spent } = record.run;
  const total = { ...spent, costMicroUsd: spent.costMicroUsd + costMicroUsd, tokens: spent.tokens + tokens };
  const paid: RunRecord = {
    ...record,
    run: { ...record.run, spent: total },
    calls: record.calls.map((each) => (each.callId === callId ? { ...each, state, costMicroUsd, tokens } : each)),
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
  const isOurs = rules.isOurs("settleCall", claim, record);
  const row = step && {
    ...stepOf(claim, step, tx.nowMs),
    kind: "model",
    state: "done",
    result: asJson(step.result),
  };
  tx.put(isOurs && row ? withStep(told, row as StepRow) : told);
  return isOurs ? "kept" : "lost";
}

function keepHandle(
  tx: MemoryTransaction,
  record: RunRecord | null,
  { iteration }: Claim,
  key: string,
  handle: unknown,
): Kept {
  if (record === null) return "lost";
  const there = findStep(record, iteration, key);
  const steps = record.steps.map((step) => (step === there ? { ...step, handle: asJson(handle) } : step));
  if (there?.state === "intended") tx.put({ ...record, steps });
  return "kept";
}

function finish(
  tx: MemoryTransaction,
  record: RunRecord | null,
  claim: Claim,
  { key }: EntryHead,
  ended: EndedEffect,
  rules: Rules,
): Kept {
  if (record === null) return "lost";
  const result = ended.kind === "done" ? asJson(ended.result) : null;
  const steps = record.steps.map((step) =>
    step.iteration === claim.iteration && step.key === key && step.state === "intended"
      ? { ...step, state: ended.kind, result }
      : step,
  );
  const { iteration } = claim;
  const summary = ended.kind === "done" ? ended.did : "uncertain";
  const event = { type: "step_recorded", iteration, step: key, summary } as const;
  tx.put(withEvents({ ...record, steps }, [event], rules));
  return "kept";
}

const isNewFor = ({ id, consumedIteration }: SignalRow, { iteration }: Claim, shown: readonly string[]): boolean =>
  consumedIteration === null || (consumedIteration === iteration && !shown.includes(id));

function hear(
  tx: MemoryTransaction,
  record: RunRecord | null,
  claim: Claim,
  head: EntryHead,
  shown: readonly string[],
  rules: Rules,
): readonly Signal[] | "lost" {
  if (record === null) return "lost";
  const { iteration } = claim;
  const signals = record.signals.map((each) =>
    each.consumedIteration === null ? { ...each, consumedIteration: iteration } : each,
  );
  const heard = signals.filter((each) => each.consumedIteration === iteration && !shown.includes(each.id));
  if (heard.length === 0) return [];
  const said = heard.map(({ askedIn: _, consumedIteration: __, ...signal }): Signal => signal);
  const after = { ...record, signals, run: { ...record.run, unreadSignals: 0 } };
  const event = { type: "step_recorded", iteration, step: head.key, summary: "heard", unread: 0 } as const;
  const row: StepRow = {
    ...stepOf(claim, head, tx.nowMs),
    kind: "platform",
    state: "done",
    result: asJson({ result: said, artifacts: [] }),
  };
  tx.put(withEvents(withStep(after, row), [event], rules));
  return said;
}
