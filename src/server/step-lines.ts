// The steps of an iteration put in order: lines of the journal with the call of a model behind them, calls that came to nothing,
// and tool calls that were refused before anything was done. Who did it, and from when to when. Pure; the words are in
// step-text.ts.

import type { ToolResultLine } from "../domain/planner/view.ts";
import type { JournalLine, LedgerLine, StepLines } from "../store/run-step-store.ts";

export type StepLine = {
  /** Of its own: a call that failed has the same key as the one that answered. */
  readonly id: string;
  readonly key: string;
  readonly kind: JournalLine["kind"];
  readonly state: JournalLine["state"];
  readonly call: LedgerLine | null;
  /** There is a line of the journal, and so a result. */
  readonly isJournaled: boolean;
  /** A tool call that was turned down at once. */
  readonly refused: ToolResultLine | null;
  readonly beganAt: string;
  readonly endedAt: string | null;
};

/** Who does the steps with this key: `exec:2`, the planner or the platform. */
export function laneOf({ key, kind }: Pick<StepLine, "key" | "kind">): string {
  const executor = /^exec:\d+(?=\/)/.exec(key)?.[0];
  if (executor !== undefined) return executor;
  return kind === "platform" || /^(judge:|report$)/.test(key) ? "platform" : "planner";
}

/** The step whose answer wanted this call of a tool; null where no answer did. Of planners it is the last that counts. */
export function askedBy(key: string, keys: readonly string[]): string | null {
  const executor = /^(exec:\d+)\/tool:(\d+)\./.exec(key);
  if (executor) return `${executor[1]}/llm:${executor[2]}`;
  return /^tool:\d+/.test(key) ? (planKeys(keys).at(-1) ?? null) : null;
}

/** What the planner answered, in order: sent back if it could not be read, and asked again where it repeated itself. */
export const planKeys = (keys: readonly string[]): readonly string[] =>
  keys.filter((key) => /^plan(\/replan)?(\/again:\d+)?$/.test(key)).toSorted();

/** In the order in which they ended; what is under way comes last. */
export function orderSteps({ journal, calls }: StepLines, refused: readonly ToolResultLine[]): readonly StepLine[] {
  const kept = new Map(journal.map((line) => [line.key, line.kind === "model" ? answeredCall(line, calls) : null]));
  const used = new Set([...kept.values()].map((call) => call?.callId));
  const steps = [
    ...journal.map((line) => journaled(line, kept.get(line.key) ?? null)),
    ...calls.filter(({ callId }) => !used.has(callId)).map(unanswered),
  ];
  const all = [...withBeginnings(steps, journal), ...refusals(refused, journal)];
  return all.toSorted(byEnd);
}

/** The answer and its price were written down together: of several tries it was the last. */
const answeredCall = ({ key }: JournalLine, calls: readonly LedgerLine[]): LedgerLine | null =>
  calls.findLast((call) => call.key === key && call.state === "settled") ?? null;

const journaled = (line: JournalLine, call: LedgerLine | null): StepLine => ({
  id: line.key,
  key: line.key,
  kind: line.kind,
  state: line.state,
  call,
  isJournaled: true,
  refused: null,
  beganAt: call?.beganAt ?? line.beganAt,
  endedAt: line.endedAt,
});

const callStates = { reserved: "intended", settled: "done", unknown: "uncertain" } as const;

const unanswered = (call: LedgerLine): StepLine => ({
  id: `${call.key}#${call.callId}`,
  key: call.key,
  kind: "model",
  state: callStates[call.state],
  call,
  isJournaled: false,
  refused: null,
  beganAt: call.beganAt,
  endedAt: call.endedAt,
});

/** The journal notes a tool call down when it is over. It began when the step before it ended: in a lane one follows the other. */
function withBeginnings(steps: readonly StepLine[], journal: readonly JournalLine[]): readonly StepLine[] {
  const fences = new Map(journal.map(({ key, fence }) => [key, fence]));
  const before = new Map<string, StepLine>();
  return steps.toSorted(byEnd).map((step) => {
    const lane = laneOf(step);
    const previous = before.get(lane);
    if (step.isJournaled && step.kind !== "platform") before.set(lane, step);
    // Another attempt came between them: nobody worked on it all the time.
    const isSameAttempt = previous !== undefined && fences.get(previous.key) === fences.get(step.key);
    const since = step.kind === "tool" && isSameAttempt ? previous.endedAt : null;
    return since !== null && since < step.beganAt ? { ...step, beganAt: since } : step;
  });
}

/** Known from what the iteration wrote down at its end; they took no time. */
function refusals(lines: readonly ToolResultLine[], journal: readonly JournalLine[]): readonly StepLine[] {
  const ends = new Map(journal.map(({ key, endedAt }) => [key, endedAt]));
  const keys = [...ends.keys()];
  return lines.flatMap((line): readonly StepLine[] => {
    const key = line.ref.slice(line.ref.indexOf("/") + 1);
    const at = ends.get(askedBy(key, keys) ?? "") ?? ends.get("memory") ?? null;
    if (line.ok || ends.has(key) || at === null) return [];
    const bare = { key, kind: "tool", state: "done", call: null, isJournaled: false } as const;
    return [{ ...bare, id: key, refused: line, beganAt: at, endedAt: at }];
  });
}

const never = "9999";

function byEnd(one: StepLine, other: StepLine): number {
  const order = (step: StepLine) => `${step.endedAt ?? never} ${step.beganAt}`;
  return order(one) < order(other) ? -1 : order(one) > order(other) ? 1 : one.id < other.id ? -1 : 1;
}
