// What must be true of one run at any moment, from its rows alone. Each finding names its invariant; where the plan of tests
// (D1) has a number for it, the number is there.

import {
  aboutOf,
  type CallRow,
  type DocumentRow,
  type EntryRow,
  hasSlot,
  type JobRow,
  type RunRecord,
} from "../memory/records.ts";
import type { CountedCall } from "../provider.ts";
import { documentsAskedFor } from "../simulated-prover.ts";
import type { Folded } from "./fold-events.ts";
import { completion, cutOffs, messages } from "./session-checks.ts";

export type Finding = readonly [invariant: string, detail: string];
type Findings = readonly (Finding | false)[];

export type Seen = {
  readonly record: RunRecord;
  readonly jobs: readonly JobRow[];
  readonly documents: readonly DocumentRow[];
  readonly folded: Folded;
  /** What providers counted. */
  readonly calls: ReadonlyMap<string, CountedCall>;
  /** What was done, paid and said is as it was when it was last looked at. */
  readonly isOnlyMoved?: boolean;
};

export function findInRun(seen: Seen): readonly Finding[] {
  const checks = [events, job, iterations, budgets, told, proofs, completion, lease, ...(seen.isOnlyMoved ? [] : work)];
  return checks.flatMap((check): Findings => check(seen)).filter((finding) => finding !== false);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

/** S6, S7: no gaps, and they say how the run stands. */
function events({ record: { run, events: rows, lastSeq }, folded }: Seen): Findings {
  const { status, iteration } = run.state;
  const slot = hasSlot({ run } as RunRecord);
  const foldedSlot = folded.status === "running" || folded.hasSlot;
  return [
    rows.at(-1)?.seq !== lastSeq && ["S6 events_without_gaps", `last ${rows.at(-1)?.seq}, counted ${lastSeq}`],
    rows.length !== lastSeq && ["S6 events_without_gaps", `${rows.length} rows, counted ${lastSeq}`],
    (folded.status !== status || folded.iteration !== iteration || foldedSlot !== slot) && [
      "S7 status_is_what_events_say",
      `${status} ${iteration} slot ${slot}; events say ${folded.status} ${folded.iteration} slot ${foldedSlot}`,
    ],
    folded.owes !== null && ["S1 one_event_per_move", `${folded.owes} is missing`],
  ];
}

/** S3: due means one open job, for this iteration; everything else means none. */
function job({ record, jobs }: Seen): Findings {
  const { status, iteration } = record.run.state;
  const due = hasSlot(record) ? 1 : 0;
  return [
    jobs.length !== due && ["S3 one_open_job", `${status} slot ${hasSlot(record)} has ${jobs.length} open jobs`],
    jobs.some((each) => aboutOf(each)?.iteration !== iteration) && [
      "S3 one_open_job",
      `job of ${jobs[0] && aboutOf(jobs[0])?.iteration} at ${iteration}`,
    ],
  ];
}

/** S2: numbered without gaps, one unfinished at most, and each that is over was decided. */
function iterations({ record: { run, iterations: rows }, folded }: Seen): Findings {
  const { status, iteration } = run.state;
  const newest = rows.length;
  const open = rows.filter((row) => row.status === "running" || row.status === "interrupted");
  const isOver = status === "completed" || status === "waiting_on_user" || status === "failed";
  return [
    rows.some((row, at) => row.iteration !== at + 1) && [
      "S2 iterations_without_gaps",
      rows.map((row) => row.iteration).join(),
    ],
    (newest > iteration || newest < iteration - 1) && ["S2 iterations_without_gaps", `${newest} rows at ${iteration}`],
    (open.length > 1 || (open[0] !== undefined && open[0].iteration !== iteration) || (isOver && open.length > 0)) && [
      "S2 one_iteration_at_a_time",
      `${open.map((row) => row.iteration).join()} open at ${status} ${iteration}`,
    ],
    rows.length - open.length < folded.ended && [
      "S2 iteration_rows_are_ended",
      `${folded.ended} ended in events, ${rows.length - open.length} in rows`,
    ],
  ];
}

/** S9: every call once, at its figure or at its reservation; the run's totals are sums. */
function money({ record: { run, leasedAtMs, calls: rows, entries, iterations: done }, calls }: Seen): Findings {
  const { spent, id, state: now } = run;
  const isLeft = ({ state, fence, iteration }: CallRow) =>
    leasedAtMs !== null && state === "reserved" && fence < run.fence && iteration === now.iteration;
  const wrong = rows.filter(({ callId, state, costMicroUsd, reservedMicroUsd }) => {
    if (state === "reserved") return costMicroUsd !== 0;
    if (state === "unknown") return costMicroUsd !== reservedMicroUsd;
    return calls.get(callId)?.costMicroUsd !== costMicroUsd;
  });
  const tools = entries.filter(({ kind }) => kind === "tool" || kind === "effect").length;
  const used = sum(done.map((row) => row.used?.costMicroUsd ?? 0));
  const isWhole = run.state.status === "completed" && rows.every(({ state }) => state === "settled");
  return [
    new Set(rows.map(({ callId }) => callId)).size !== rows.length && ["S9 one_row_per_call", id],
    rows.some(isLeft) && ["S9 calls_of_the_dead_are_given_up", `at iteration ${now.iteration}`],
    wrong.length > 0 && ["S9 cost_is_what_it_was", JSON.stringify(wrong[0])],
    spent.costMicroUsd !== sum(rows.map(({ costMicroUsd }) => costMicroUsd)) && [
      "S9 money_is_the_ledger",
      `${spent.costMicroUsd}, the ledger has ${sum(rows.map(({ costMicroUsd }) => costMicroUsd))}`,
    ],
    spent.tokens !== sum(rows.map(({ tokens }) => tokens)) && ["S9 tokens_are_the_ledger", `${spent.tokens}`],
    spent.toolCalls !== tools && ["S9 tool_calls_are_the_journal", `${spent.toolCalls}, the journal has ${tools}`],
    (isWhole ? used !== spent.costMicroUsd : used > spent.costMicroUsd) && [
      "S9 iterations_add_up",
      `iterations ${used}, the run ${spent.costMicroUsd}`,
    ],
    Object.values(spent).some((each) => !Number.isInteger(each) || each < 0) && ["S10 whole", JSON.stringify(spent)],
  ];
}

/** S11: never one iteration, and with a hard limit never one micro-dollar, too many. */
function budgets({ record: { run } }: Seen): Findings {
  const { budget, spent, state } = run;
  const limit = budget.maxCostMicroUsd;
  return [
    state.iteration > budget.maxIterations && [
      "S11 iterations_within_budget",
      `${state.iteration} of ${budget.maxIterations}`,
    ],
    budget.isCostHard &&
      limit !== null &&
      spent.costMicroUsd > limit && ["S11 hard_limit_holds", `${spent.costMicroUsd} of ${limit}`],
  ];
}

/** S8: the user is told once of every move that is not their own (on a task: that needs them), and has read what they acted on; a report for every end. */
function told({ record: { run, notification, moves, report }, folded }: Seen): Findings {
  const { status } = run.state;
  const ended = ["completed", "stopped", "failed", "canceled"].includes(status);
  const times = notification?.told ?? 0;
  const wanted = run.outcomeTaskId === null ? folded.moves : folded.needs;
  const isSeen = status === "canceled" || (run.state.status === "stopped" && run.state.reason === "paused");
  return [
    (times !== wanted || moves !== wanted) && [
      "S8 one_notification_per_move",
      `${wanted} moves, counted ${moves}, told ${times} times`,
    ],
    notification !== null &&
      !notification.isRead &&
      isSeen && ["S8 what_the_user_did_is_read", `${notification.event}, and the run is ${status}`],
    ended && report?.status !== status && ["S8 report_when_ended", `${status}, the report says ${report?.status}`],
  ];
}

type Stored = { readonly result: unknown; readonly artifacts: readonly { readonly id: string }[] };
const stored = (entry: EntryRow): Stored | null => (entry.state === "done" ? (entry.result as Stored) : null);

/** S14: each key once; what entries say they wrote is there, once, and nothing else. */
function journal({ record: { run, entries, iterations: rows }, documents }: Seen): Findings {
  const keys = entries.map(({ iteration, key }) => `${iteration}/${key}`);
  const written = documents.map(({ iteration, key }) => `${iteration}/${key}`);
  const journaled = entries.flatMap((entry) =>
    entry.kind === "tool" && (stored(entry)?.artifacts.length ?? 0) > 0 ? [`${entry.iteration}/${entry.key}`] : [],
  );
  const artifacts = rows.flatMap((row) =>
    row.used === null ? [] : documents.filter(({ iteration }) => iteration === row.iteration).map(({ id }) => id),
  );
  const listed = rows.flatMap((row) => row.artifacts.map(({ id }) => id));
  return [
    new Set(keys).size !== keys.length && ["S14 each_entry_once", keys.join()],
    new Set(written).size !== written.length && ["S14 each_effect_once", written.join()],
    written.toSorted().join() !== journaled.toSorted().join() && [
      "S14 writes_are_the_journal",
      `written ${written.join()}, journaled ${journaled.join()}`,
    ],
    entries.some(({ fence }) => fence > run.fence) && ["S4 fence_is_newest", `${run.fence}`],
    rows.every((row) => row.decision !== "fail") &&
      artifacts.toSorted().join() !== listed.toSorted().join() && [
        "S13 iterations_list_what_they_wrote",
        `written ${artifacts.length}, listed ${listed.length}`,
      ],
  ];
}

/** S15: recomputed from what is there. */
function proofs({ record: { run }, documents }: Seen): Findings {
  if (run.state.status !== "completed") return [];
  const { proofs: green } = run.state;
  return [
    run.checks.some(({ id }) => !green.some(({ checkId, isGreen }) => checkId === id && isGreen)) && [
      "S15 completed_with_proofs",
      "a check has no green proof",
    ],
    documents.length < documentsAskedFor(run) && [
      "S15 completed_with_proofs",
      `${documents.length} documents, ${documentsAskedFor(run)} were asked for`,
    ],
  ];
}

/** S12: nobody holds a run that is not worked on. */
function lease({ record: { run, leasedAtMs } }: Seen): Findings {
  return [leasedAtMs !== null && run.state.status !== "running" && ["S12 lease_while_running", run.state.status]];
}

const work = [money, journal, messages, cutOffs];
