// What must be true of every commit: what may change, under which lease, and by how much. It compares the rows before and
// after, and believes nobody.

import { noStreaks } from "../../../src/domain/run/gate/streaks.ts";
import { isTerminal } from "../../../src/domain/run/run.ts";
import { lostMs } from "../memory/lost-time.ts";
import type { Commit } from "../memory/memory-database.ts";
import { inLine } from "../memory/memory-run-tx.ts";
import { isInLine, type RunRecord } from "../memory/records.ts";
import { graceMs } from "../memory/rules.ts";
import type { Finding } from "./run-checks.ts";

type Findings = readonly (Finding | false)[];

export type Move = {
  readonly commit: Commit;
  readonly before: RunRecord;
  readonly after: RunRecord;
  /** Whose lease ended the iteration, where one did: its fence. */
  readonly endedUnder: number | null;
  readonly databaseNowMs: number;
};

export function findInMove(move: Move): readonly Finding[] {
  return [growing, fences, afterTheEnd, runningTime, commands, line, ledger]
    .flatMap((check): Findings => check(move))
    .filter((finding) => finding !== false);
}

/** S10: what only grows. */
function growing({ before, after }: Move): Findings {
  const numbers = ({ run: { spent, fence }, lastSeq, moves, events, entries, messages, calls }: RunRecord) => [
    spent.runningMs,
    spent.costMicroUsd,
    spent.tokens,
    spent.toolCalls,
    fence,
    lastSeq,
    moves,
    events.length,
    entries.length,
    messages.length,
    calls.length,
  ];
  const now = numbers(after);
  const isLess = numbers(before).some((number, at) => number > (now[at] ?? 0));
  return [isLess && ["S10 totals_never_shrink", `${numbers(before).join()} became ${now.join()}`]];
}

/** S4: what a worker writes carries the newest fence, and whoever takes a run away raises it. */
function fences({ commit, before, after, endedUnder }: Move): Findings {
  const { fence, state } = before.run;
  const { lease } = commit;
  const wrote = after.entries !== before.entries || commit.documents.some(({ runId }) => runId === after.run.id);
  const isTakenAway =
    state.status === "running" &&
    ["canceled", "stopped", "failed"].includes(after.run.state.status) &&
    endedUnder === null;
  const begun = after.events.slice(before.events.length).filter(({ event }) => event.type === "iteration_started");
  const newEntries = after.entries.slice(before.entries.length);
  return [
    wrote &&
      (lease === null || lease.fence !== fence || state.status !== "running") && [
        "S4 writes_carry_the_newest_fence",
        `${commit.by} wrote under ${lease?.fence} while it was ${fence} and ${state.status}`,
      ],
    newEntries.some((entry) => entry.fence !== lease?.fence) && [
      "S4 writes_carry_the_newest_fence",
      "an entry of another",
    ],
    after.calls.length > before.calls.length &&
      lease?.fence !== fence && ["S4 calls_carry_the_newest_fence", commit.by],
    endedUnder !== null && endedUnder !== fence && ["S4 commit_under_the_newest_fence", `${endedUnder} of ${fence}`],
    (isTakenAway || begun.length > 0) && after.run.fence <= fence && ["S4 taking_raises_the_fence", `${fence}`],
  ];
}

/** S5: after an end only money is written down. */
function afterTheEnd({ commit, before, after }: Move): Findings {
  if (!isTerminal(before.run.state.status)) return [];
  const { spent: _, ...was } = before.run;
  const { spent: __, ...is } = after.run;
  const changed = [
    JSON.stringify(was) !== JSON.stringify(is) && "the run",
    before.iterations !== after.iterations &&
      JSON.stringify(before.iterations) !== JSON.stringify(after.iterations) &&
      "an iteration",
    before.entries.length !== after.entries.length && "an entry",
    before.messages.length !== after.messages.length && "a message",
    before.notification?.told !== after.notification?.told && "a notification",
    commit.documents.some(({ runId }) => runId === after.run.id) && "a document",
  ].filter((each) => each !== false);
  return [changed.length > 0 && ["S5 nothing_after_the_end", `${before.run.state.status}: ${changed.join()}`]];
}

/** S12: running time is what leases took, up to a little after the last sign of life, less what was lost with models. */
function runningTime({ commit, before, after, databaseNowMs }: Move): Findings {
  const { leasedAtMs, leaseSeenAtMs } = before;
  const added = after.run.spent.runningMs - before.run.spent.runningMs;
  if (leasedAtMs === null || leaseSeenAtMs === null)
    return [added !== 0 && ["S12 running_time_is_leased_time", `${added} ms although nobody had it`]];
  const upTo = (nowMs: number) => {
    const untilMs = Math.min(nowMs, leaseSeenAtMs + graceMs);
    return Math.max(0, untilMs - leasedAtMs - lostMs(before, untilMs));
  };
  if (commit.sawClockJump) return []; // Nobody can say which of its clocks it read.
  const [a, b] = [upTo(commit.beganAtMs), upTo(databaseNowMs)];
  const isOver = after.leasedAtMs !== leasedAtMs;
  // What a provider made a run wait for is not counted: only what was done before.
  const { state } = after.run;
  const isHeld =
    (state.status === "running" && state.hold !== null) ||
    (state.status === "stopped" && state.reason === "provider_faults");
  const least = isHeld ? 0 : Math.min(a, b) - 1;
  const isRight = isOver ? added >= least && added <= Math.max(a, b) + 1 : added === 0;
  return [!isRight && ["S12 running_time_is_leased_time", `${added} ms, the lease took ${a} to ${b}, over: ${isOver}`]];
}

/** Someone has looked at a run that is resumed: it begins anew. */
function commands({ before, after }: Move): Findings {
  const resumed = after.events.slice(before.events.length).some(({ event }) => event.type === "run_resumed");
  const isAnew = () => JSON.stringify(after.run.streaks) === JSON.stringify(noStreaks);
  return [resumed && !isAnew() && ["S16 resume_begins_anew", JSON.stringify(after.run.streaks)]];
}

/** Slots go to who waits longest. */
function line({ commit, before, after }: Move): Findings {
  if (!isInLine(before) || after.run.state.status !== "queued" || isInLine(after)) return [];
  const others = [...commit.before.runs.values()].filter(({ run }) => run.userId === before.run.userId);
  const [first] = inLine(others);
  const stillWaits = first !== undefined && !commit.runs.has(first.run.id);
  return [stillWaits && first.run.id !== before.run.id && ["L4 first_in_line_first", `${first.run.id} waits longer`]];
}

/** S9: a row of the ledger is written once and settled once; S17: a message is taken up once. */
function ledger({ before, after }: Move): Findings {
  const changed = before.calls.filter((call, at) => call.state !== "reserved" && after.calls[at] !== call);
  const moved = before.messages.filter((message, at) => {
    const now = after.messages[at]?.consumedIteration;
    return message.consumedIteration !== null && now !== null && now !== message.consumedIteration;
  });
  return [
    changed.some(
      (call) => JSON.stringify(call) !== JSON.stringify(after.calls.find(({ callId }) => callId === call.callId)),
    ) && ["S9 the_ledger_is_settled_once", JSON.stringify(changed[0])],
    moved.length > 0 && ["S17 a_message_is_taken_up_once", JSON.stringify(moved[0])],
  ];
}
