// When a run goes round in circles. Each breaker looks at one streak; the numbers can be configured. Before one stops a
// run, the run gets one iteration to recover: wider tools, a simpler strategy, or a question.

import type { Check } from "../checks/check.ts";
import { nameCheck } from "../checks/describe-check.ts";
import type { StopReason } from "../stop-reason.ts";
import type { Streaks } from "./streaks.ts";

export type BreakerLimits = {
  readonly noProgress: number;
  /** The same actions again this often; the first time brings a hint and a forced replan. */
  readonly sameAction: number;
  /** There and back between two sets of actions; three are A, B, A, B, A. */
  readonly backAndForth: number;
  readonly sameError: number;
  readonly toolMisses: number;
  readonly rejectedClaims: number;
};

export const defaultBreakers: BreakerLimits = {
  noProgress: 3,
  sameAction: 2,
  backAndForth: 3,
  sameError: 5,
  toolMisses: 3,
  rejectedClaims: 3,
};

export type Tripped = { readonly reason: StopReason; readonly detail: string; readonly whatWouldHelp: string };

type Breaker = Omit<Tripped, "detail"> & { readonly streak: keyof BreakerLimits; readonly words: string };

const sameError: Breaker = {
  streak: "sameError",
  reason: "same_error",
  words: "iterations in a row ended in the same error",
  whatWouldHelp: "mend the cause of that error, or resume with other instructions",
};

/** In the order in which they are looked at. */
const breakers: readonly Breaker[] = [
  sameError,
  {
    streak: "toolMisses",
    reason: "tool_missing",
    words: "iterations in a row wanted a tool that is missing or got its arguments wrong",
    whatWouldHelp: "allow the tool, or name another way",
  },
  {
    streak: "sameAction",
    reason: "same_action",
    words: "times in a row the very same actions again",
    whatWouldHelp: "say which other approach to take",
  },
  {
    streak: "backAndForth",
    reason: "same_action",
    words: "times in a row back to the actions before the last ones",
    whatWouldHelp: "say which of the two it should be",
  },
  {
    streak: "rejectedClaims",
    reason: "claim_rejected",
    words: "claims in a row were turned down by the check",
    whatWouldHelp: "look at that check: perhaps it asks for something else than you want",
  },
  {
    streak: "noProgress",
    reason: "no_progress",
    words: "iterations in a row without any change of state",
    whatWouldHelp: "say what it should do next, or make the objective smaller",
  },
];

/** The first breaker that trips on these streaks, or null. `iteration` is the last one they count; `checks` gives words to ids. */
export function trippedBreaker(
  streaks: Streaks,
  limits: BreakerLimits,
  iteration: number,
  checks: readonly Check[] = [],
): Tripped | null {
  const [worstCheck, worstCount] = worstRejection(streaks.rejectedClaims);
  const counts = { ...streaks, rejectedClaims: worstCount };
  const found = breakers.find(({ streak }) => counts[streak] >= limits[streak]);
  if (found === undefined) return null;
  const count = counts[found.streak];
  // What keeps a run from progress is the error it meets every time: that is the cause to name.
  const named = found.streak === "noProgress" && streaks.sameError >= count ? sameError : found;
  const which = named.streak === "rejectedClaims" ? ` ${nameById(worstCheck, checks)}` : "";
  const window = `${nameWindow(iteration, count)}; limit ${limits[found.streak]}`;
  const { reason, words, whatWouldHelp } = named;
  return { reason, detail: `${count} ${words}${which} (${window})`, whatWouldHelp };
}

const nameWindow = (last: number, count: number): string =>
  count <= 1 ? `iteration ${last}` : `iterations ${Math.max(1, last - count + 1)} to ${last}`;

function nameById(id: string, checks: readonly Check[]): string {
  const check = checks.find((each) => each.id === id);
  return check === undefined ? id : nameCheck(check);
}

function worstRejection(counts: Readonly<Record<string, number>>): readonly [string, number] {
  return Object.entries(counts).reduce<readonly [string, number]>(
    (worst, each) => (each[1] > worst[1] ? each : worst),
    ["", 0],
  );
}
