// How an iteration reads on the screen: its decision, figures and what it made. The words of its status are the contract's.

import type { RunIteration } from "../../../../../src/protocol/api.ts";
import { cost, counted, dollars, duration } from "../../../../../src/protocol/figures.ts";
import { tone } from "../../../lib/tones.ts";

export const iterationStatusColors: Readonly<Record<RunIteration["status"], string>> = {
  running: tone.atWork,
  success: tone.passed,
  failed: tone.failure,
  waiting_on_user: tone.atWork,
  interrupted: tone.plain,
};

const decisionWords: Readonly<Record<string, string>> = {
  continue: "Why it continued",
  hold: "Why it had to wait",
  ask: "Why it asked you",
  complete: "Why it was complete",
  stop: "Why it stopped",
};

/** Said before the reason. */
export function decisionWordsOf(decision: string | null): string {
  return (decision === null ? undefined : decisionWords[decision]) ?? "Why";
}

/** Fractions of a second where seconds would say nothing. */
export function shortDuration(ms: number): string {
  return ms < 10_000 ? `${(ms / 1_000).toFixed(1)}s` : duration(ms);
}

const fineBelowMicroUsd = 100_000;

/** `$0.043`: below ten cents in tenths of a cent, so that small sums add up. */
export function fineDollars(microUsd: number): string {
  if (microUsd === 0 || microUsd >= fineBelowMicroUsd) return dollars(microUsd);
  return microUsd < 500 ? "less than $0.001" : `$${(microUsd / 1_000_000).toFixed(3)}`;
}

/** `$0.043`, `$0.043 + no price known`. */
export function fineCost(microUsd: number, unpricedCalls: number): string {
  if (microUsd === 0) return cost(microUsd, unpricedCalls);
  return unpricedCalls === 0 ? fineDollars(microUsd) : `${fineDollars(microUsd)} + no price known`;
}

/** `1 document, 2 notes`; `notes`: those that the run keeps for itself, null where they are not all known. */
export function madeWords(artifacts: RunIteration["artifacts"], notes: ReadonlySet<string> | null): string | null {
  const kinds = new Map(artifacts.map(({ id, kind }) => [id, kind]));
  if (kinds.size === 0) return null;
  if (notes === null) return `${counted(kinds.size, "thing")} made or changed`;
  const named = [...kinds].map(([id, kind]) => (notes.has(id) && kind === "document" ? "note" : nameOf(kind)));
  const groups = Map.groupBy(named.toSorted(byPlace), (name) => name);
  return [...groups].map(([name, each]) => counted(each.length, name)).join(", ");
}

const nameOf = (kind: string) => (kind === "edge" ? "link" : kind);

/** What one came to read first, what the run keeps for itself last. */
const places = ["document", "task", "plan", "goal", "milestone", "project", "file", "note", "link"];
const byPlace = (one: string, other: string) => places.indexOf(one) - places.indexOf(other);

/** Its running time; null while it is at work. */
export function iterationMs({ started_at: started, ended_at: ended, metrics }: RunIteration): number | null {
  if (ended === null) return null;
  return metrics?.running_ms ?? Math.max(0, Date.parse(ended) - Date.parse(started));
}
