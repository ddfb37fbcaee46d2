// What a run has done too often in a row. Breakers look at these; `countStreaks` moves them after every iteration.

export type Streaks = {
  /** Iterations without a change of state. */
  readonly noProgress: number;
  /** Iterations in a row with the same set of actions, the first one not counted. */
  readonly sameAction: number;
  readonly lastActions: string | null;
  /** Iterations in a row that did what the one before the last did, and not what the last one did: there and back. */
  readonly backAndForth: number;
  readonly actionsBeforeLast: string | null;
  /** Iterations in a row that ended in the same error. */
  readonly sameError: number;
  readonly lastError: string | null;
  /** The last error in full, for people; null before the first. */
  readonly lastErrorText: string | null;
  /** Iterations in a row in which a tool was missing or its arguments invalid, despite repair. */
  readonly toolMisses: number;
  /** For each check, claims in a row that it turned down. */
  readonly rejectedClaims: Readonly<Record<string, number>>;
  /** The iteration that was given to recover from a breaker, and which; null where none was yet. */
  readonly recovery: { readonly iteration: number; readonly from: string } | null;
};

export const noStreaks: Streaks = {
  noProgress: 0,
  sameAction: 0,
  lastActions: null,
  backAndForth: 0,
  actionsBeforeLast: null,
  sameError: 0,
  lastError: null,
  lastErrorText: null,
  toolMisses: 0,
  rejectedClaims: {},
  recovery: null,
};

/** What an iteration showed, as far as streaks go. */
export type Observed = {
  readonly hasProgressed: boolean;
  /** Messages of the user reached it: everything is counted anew, and it does not count as standing still. */
  readonly hasHeard: boolean;
  /** Fingerprint of the set of actions; null where there were none. */
  readonly actions: string | null;
  /** Fingerprint of the error it ended in; null where it did not. */
  readonly error: string | null;
  readonly errorText: string | null;
  readonly hasToolMiss: boolean;
  /** Checks that turned a claim down in this iteration. */
  readonly rejectedBy: readonly string[];
};

/** Repeating an action that changes something each time is work, so actions are compared only without progress. */
export function countStreaks(before: Streaks, seen: Observed): Streaks {
  const streaks = seen.hasHeard ? noStreaks : before;
  const isIdle = !seen.hasProgressed && seen.actions !== null;
  const isSameAction = isIdle && seen.actions === streaks.lastActions;
  const isBack = isIdle && !isSameAction && seen.actions === streaks.actionsBeforeLast;
  return {
    noProgress: seen.hasProgressed || seen.hasHeard ? 0 : streaks.noProgress + 1,
    sameAction: isSameAction ? streaks.sameAction + 1 : 0,
    lastActions: seen.actions ?? streaks.lastActions,
    backAndForth: isBack ? streaks.backAndForth + 1 : 0,
    actionsBeforeLast: seen.actions === null ? streaks.actionsBeforeLast : streaks.lastActions,
    sameError: countErrors(streaks, seen.error),
    lastError: seen.error,
    lastErrorText: seen.errorText ?? streaks.lastErrorText,
    toolMisses: seen.hasToolMiss ? streaks.toolMisses + 1 : 0,
    rejectedClaims: countRejections(streaks.rejectedClaims, seen.rejectedBy),
    // Progress earns a new chance: the next breaker may recover again.
    recovery: seen.hasProgressed ? null : streaks.recovery,
  };
}

const countErrors = ({ lastError, sameError }: Streaks, error: string | null): number =>
  error === null ? 0 : error === lastError ? sameError + 1 : 1;

/** Iterations without a claim leave the counts alone; a claim that a check did not turn down clears that check's. */
function countRejections(
  counts: Readonly<Record<string, number>>,
  rejectedBy: readonly string[],
): Readonly<Record<string, number>> {
  if (rejectedBy.length === 0) return counts;
  return Object.fromEntries(rejectedBy.map((checkId) => [checkId, (counts[checkId] ?? 0) + 1]));
}
