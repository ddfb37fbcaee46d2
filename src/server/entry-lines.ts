// What an iteration did, in order: entries of its journal, each with the call of a model behind it, and calls that brought no
// answer. Who did what, in which words, from when to when and why it failed is what they tell of themselves. Pure.

import type { EntryLines, JournalLine, LedgerLine } from "../store/run-view/run-entry-store.ts";

export type EntryLine = Pick<
  JournalLine,
  "key" | "kind" | "state" | "lane" | "tool" | "did" | "error" | "beganAt" | "endedAt"
> & {
  /** Unique in the iteration: a call that failed has the key of the one that answered. */
  readonly id: string;
  readonly call: LedgerLine | null;
  /** There is an entry in the journal, and so arguments and a result. */
  readonly isJournaled: boolean;
};

/** In the order in which they ended; what is under way comes last. */
export function orderEntries({ journal, calls }: EntryLines): readonly EntryLine[] {
  const answered = new Map(journal.map((line) => [line.key, line.kind === "model" ? findCall(line, calls) : null]));
  const used = new Set([...answered.values()].map((call) => call?.callId));
  const entries = [
    ...journal.map(({ fence: _, ...line }) => ({
      ...line,
      id: line.key,
      call: answered.get(line.key) ?? null,
      isJournaled: true,
    })),
    ...calls.filter(({ callId }) => !used.has(callId)).map(toUnanswered),
  ];
  return entries.toSorted(byEnd);
}

/** An answer and its price are written together, by one attempt; of its tries the last one brought the answer. */
const findCall = ({ key, fence }: JournalLine, calls: readonly LedgerLine[]): LedgerLine | null =>
  calls.findLast((call) => call.key === key && call.fence === fence && call.state === "settled") ?? null;

const callStates = { reserved: "intended", settled: "done", unknown: "uncertain" } as const;

const toUnanswered = (call: LedgerLine): EntryLine => ({
  id: `${call.key}#${call.callId}`,
  key: call.key,
  kind: "model",
  state: callStates[call.state],
  lane: call.lane,
  tool: null,
  ...tellUnanswered(call),
  call,
  isJournaled: false,
  beganAt: call.beganAt,
  endedAt: call.endedAt,
});

function tellUnanswered({ state, error }: LedgerLine): Pick<EntryLine, "did" | "error"> {
  if (state === "reserved") return { did: "Asking the model", error: null };
  // Without a reason: a worker was gone when it came, or an older version paid for it.
  const why = error ?? (state === "settled" ? "the answer was not used" : "the answer was lost");
  return { did: `No answer: ${why}`, error: why };
}

const never = "9999";

function byEnd(one: EntryLine, other: EntryLine): number {
  const order = (entry: EntryLine) => `${entry.endedAt ?? never} ${entry.beganAt}`;
  return order(one) < order(other) ? -1 : order(one) > order(other) ? 1 : one.id < other.id ? -1 : 1;
}
