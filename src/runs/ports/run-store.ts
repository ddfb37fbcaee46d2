// What changing runs needs from a store: one transaction at a time, with the run's row locked. The SQL is in src/store/;
// simulations bring one in memory. A transaction locks a user before any run, so that no deadlock can arise.

import type { ChatId } from "../../domain/chat/chat.ts";
import type { OutcomeId } from "../../domain/homr/outcome.ts";
import type { UserId } from "../../domain/identity/identity.ts";
import type { Notification } from "../../domain/notification.ts";
import type { PriceSource } from "../../domain/run/budget/price.ts";
import type { Proof } from "../../domain/run/checks/check.ts";
import type { EndedIteration, NewRunMessage } from "../../domain/run/effects.ts";
import type { EventOf, UnstampedEvent } from "../../domain/run/events.ts";
import type { RunRecord } from "../../domain/run/report/report.ts";
import type { Report } from "../../domain/run/report/report-shape.ts";
import type { Run, RunId, RunningRun } from "../../domain/run/run.ts";

/** One delivery of a job. The queue takes an acknowledgement only from the newest attempt. */
export type JobAttempt = { readonly id: string; readonly attempt: number };

export type IterationJob = JobAttempt & { readonly runId: RunId; readonly iteration: number };

/** A worker's right to work on a run now; the fence proves it. */
export type Lease = {
  readonly runId: RunId;
  readonly userId: UserId;
  readonly iteration: number;
  readonly attempt: number;
  readonly fence: number;
  readonly job: JobAttempt;
};

/** A process's right to write an answer of a conversation now; the fence proves it. */
export type ChatLease = {
  readonly chatId: ChatId;
  readonly userId: UserId;
  /** The message that is the answer. */
  readonly seq: number;
  readonly fence: number;
};

/** A worker's right to do one piece of HOMЯ's work with models now; the fence proves it. */
export type HomrLease = {
  readonly outcomeId: OutcomeId;
  readonly userId: UserId;
  /** Which of the outcome's turns it is. */
  readonly turn: number;
  readonly fence: number;
};

/** Whose journal it is: an iteration of a run, an answer of a conversation, or a turn of HOMЯ. */
export type Owner = Lease | ChatLease | HomrLease;

/** What the user said, for the iteration that takes it up. */
export type RunMessage = {
  readonly id: string;
  readonly kind: "steer" | "answer";
  readonly questionId: string | null;
  /** What was asked, for an answer. */
  readonly question: string | null;
  readonly text: string;
};

export const entryKinds = ["model", "tool", "effect", "platform"] as const;
export type EntryKind = (typeof entryKinds)[number];

/** Who does what an entry tells of: `planner`, `exec:1`, `judge`, `platform`. An executor's title is what it was sent to do. */
export type Lane = { readonly id: string; readonly title: string | null };

export const plannerLane: Lane = { id: "planner", title: null };
/** An agent program, in a run whose engine is `agent`. */
export const agentLane: Lane = { id: "agent", title: null };
export const judgeLane: Lane = { id: "judge", title: null };
export const platformLane: Lane = { id: "platform", title: null };

/** The work itself, not what is asked about it afterwards. */
export const isOfWork = (lane: string): boolean => lane !== judgeLane.id && lane !== platformLane.id;

/** What an entry tells of itself before it is done. Keys are the same whichever attempt asks. */
export type EntryHead = {
  readonly key: string;
  readonly lane: Lane;
  readonly tool: string | null;
  /** JSON; what the tool was called with. */
  readonly args: unknown;
};

/** What the history of a run says of an entry. */
export const tellEntry = (
  iteration: number,
  { key, lane }: EntryHead,
  summary: string,
  error: string | null,
): EventOf<"entry_recorded"> => ({
  type: "entry_recorded",
  iteration,
  entry: key,
  summary,
  ...(lane.id === plannerLane.id ? {} : { lane: lane.id }),
  ...(error === null ? {} : { is_failed: true }),
});

/** A line of the journal. `uncertain`: begun, and it is unknown whether it happened. */
export type JournalEntry = {
  readonly key: string;
  /** Its id. */
  readonly lane: string;
  readonly kind: EntryKind;
  readonly state: "intended" | "done" | "uncertain";
  readonly result: unknown;
  /** How something that was started is found again; null where nothing was, or it leaves none. */
  readonly handle: unknown;
};

/** A run, locked until the transaction ends. */
export type LockedRun = {
  readonly run: Run;
  /** Tries so far at the iteration that is due. */
  readonly attempts: number;
  /** Its last worker has not let go of it. */
  readonly isLeased: boolean;
  /**
   * Since the lease began, up to the last sign of life of its worker, without the time lost with models that did not answer; 0 where
   * no worker has it.
   */
  readonly leasedMs: number;
  /** Nothing is done in the name of its user any more. */
  readonly isOwnerShut: boolean;
};

/** Everything that changes about one run in one transaction, except jobs. */
export type RunChange = {
  readonly before: Run;
  readonly run: Run;
  readonly lease: "keep" | "begin" | "release";
  /** Who has it, for people; with `begin` only. */
  readonly leasedBy: string | null;
  readonly events: readonly UnstampedEvent[];
  readonly attempt: { readonly iteration: number; readonly attempt: number } | null;
  readonly ended: EndedIteration | null;
  readonly interrupted: number | null;
  readonly proofs: readonly Proof[];
  readonly messages: readonly NewRunMessage[];
  /** The iteration whose messages are unread again. */
  readonly unheard: number | null;
  readonly report: Report | null;
  readonly notification: Notification | null;
  /** Its user's lists show it differently now. */
  readonly isListed: boolean;
};

export type RunTx = {
  readonly lockUser: (userId: UserId) => Promise<void>;
  readonly lockRun: (runId: RunId) => Promise<LockedRun | null>;
  readonly insertRun: (run: Run) => Promise<void>;
  readonly save: (change: RunChange) => Promise<void>;
  /** The user has seen what the run told them: its notification is read. */
  readonly readNotification: (run: Run) => Promise<void>;
  /** For the report. */
  readonly recordOf: (run: Run) => Promise<RunRecord>;

  /** Runs of this user that have a slot. Only with the user locked. */
  readonly countSlots: (userId: UserId) => Promise<number>;
  /** How many runs this user may have at work; null: as many as everyone. */
  readonly maxSlots: (userId: UserId) => Promise<number | null>;
  readonly nextInLine: (userId: UserId) => Promise<RunId | null>;

  /** What this iteration has taken up; with `isNew`, also what no iteration has yet. */
  readonly takeUpMessages: (runId: RunId, iteration: number, isNew: boolean) => Promise<readonly RunMessage[]>;
  readonly readJournal: (runId: RunId, iteration: number) => Promise<readonly JournalEntry[]>;
  /** Calls of a model whose answer will never come are charged at their reservation. */
  readonly giveUpCalls: (runId: RunId) => Promise<void>;

  /** On its row of the ledger; null where it has ended meanwhile. */
  readonly markSilent: (lease: Lease, call: ModelCall, silence: Silence | null) => Promise<NotedSilence | null>;
  /** Since this lease began, up to its last entry: what came after it were tries that led to nothing. */
  readonly workedMs: (lease: Lease) => Promise<number>;

  readonly enqueue: (run: Run, iteration: number, notBeforeMs: number | null) => Promise<void>;
  /** HOMЯ hears that the attempt at a task is over: a job of its own. */
  readonly tellOutcome: (run: Run) => Promise<void>;
  /** Its task is being worked on; false while the task, or its outcome, rests. True for a run that is no task's, or no longer. */
  readonly isTaskAtWork: (run: Run) => Promise<boolean>;
  readonly dropJob: (runId: RunId, iteration: number) => Promise<void>;
  /** False: the job has been given to someone else since. */
  readonly acknowledge: (job: JobAttempt) => Promise<boolean>;
};

export type RunTransactions = {
  readonly transaction: <T>(work: (tx: RunTx) => Promise<T>) => Promise<T>;
};

export type ModelCall = {
  readonly callId: string;
  readonly key: string;
  readonly role: string;
  readonly model: string;
  /** The most it can cost. */
  readonly reservedMicroUsd: number;
  /** The model has no known price, so that what is reserved says nothing. */
  readonly isUnpriced?: boolean;
  /** The planner's, where it is left out. */
  readonly lane?: Lane;
  /** How many messages of the user its prompt contains. */
  readonly messages?: number;
};

/** A call under way of which nothing is heard: for how long, and how often the request is sent again before it is given up for now. */
export type Silence = { readonly silentMs: number; readonly triesLeft: number };

/** What a silence comes to, as the ledger and the history have it. */
export type NotedSilence = {
  readonly model: string;
  /** Which try of this request it is, and how many there will be at most. */
  readonly tries: number;
  readonly triesMost: number;
  /** What the tries without an answer can have cost; null: nothing, or the price is unknown. */
  readonly atStakeMicroUsd: number | null;
  /** The user was notified of no silence of this run for a while. */
  readonly isNews: boolean;
};

export type Usage = {
  readonly costMicroUsd: number;
  /** All of the prompt; the next two are parts of it. */
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly writtenTokens: number;
  readonly outputTokens: number;
  readonly pricedBy: PriceSource;
};

export type RecordedEntry = EntryHead & {
  readonly kind: EntryKind;
  readonly result: unknown;
  /** What was done, in words; the history says the same. */
  readonly did: string;
  /** Why it failed; null where it did not. */
  readonly error: string | null;
  readonly tookMs: number;
  /** What the history of a run says of it; null in a conversation. */
  readonly event: EventOf<"entry_recorded"> | null;
};

export type EndedEffect =
  | { readonly kind: "done"; readonly result: unknown; readonly did: string; readonly error: string | null }
  | { readonly kind: "uncertain" };

/** `lost`: the lease is someone else's now, and nothing was written. */
export type Kept = "kept" | "lost";

/**
 * `refused`: a hard limit of the owner leaves no room. `monthly_quota`: the user's own leaves none; `unpriced`: the user has one, and it
 * cannot be counted what the model costs.
 */
export type Reserved = Kept | "refused" | "monthly_quota" | "unpriced";

/** The journal and the ledger: each of these is one transaction, and writes only under the lease's fence. */
export type JournalStore<Writes, Held extends Owner = Lease> = {
  /** The entry's own writes, in the user's name, together with its line in the journal. */
  readonly recordEntry: (lease: Held, entry: RecordedEntry) => Promise<Kept>;
  readonly recordWrites: (lease: Held, work: (writes: Writes) => Promise<RecordedEntry>) => Promise<Kept>;
  readonly reserveCall: (lease: Held, call: ModelCall) => Promise<Reserved>;
  /** Money is settled even if another worker has the lease by now; the journal line is written under the fence only. */
  readonly settleCall: (
    lease: Held,
    call: ModelCall,
    usage: Usage | "unknown",
    entry: RecordedEntry | null,
    /** Why the call brought no answer; null where it brought one. */
    error?: string | null,
  ) => Promise<Kept>;
  /** That nothing is heard of a call under way, or that something is again (null). */
  readonly noteSilence: (lease: Held, call: ModelCall, silence: Silence | null) => Promise<Kept>;
  readonly intendEffect: (lease: Held, head: EntryHead) => Promise<Kept>;
  /** Beside the intent, as soon as something runs. */
  readonly keepHandle: (lease: Held, head: EntryHead, handle: unknown) => Promise<Kept>;
  /** Whether the owner is still at work, under this lease or another. */
  readonly isAtWork: (lease: Held) => Promise<boolean>;
  readonly finishEffect: (lease: Held, head: EntryHead, ended: EndedEffect) => Promise<Kept>;
  /**
   * What the user has said to the run and this lane was not `shown` yet. What is new becomes this iteration's; an entry tells
   * of it, so that another attempt hears the same at the same place. Nothing new: nothing is written.
   */
  readonly hear: (lease: Held, head: EntryHead, shown: readonly string[]) => Promise<readonly RunMessage[] | "lost">;
};

export type RunStore<Writes> = RunTransactions & JournalStore<Writes>;

/** What a worker has to know to work on an iteration. */
export type TakenRun = {
  readonly lease: Lease;
  readonly run: RunningRun;
  readonly messages: readonly RunMessage[];
  readonly journal: readonly JournalEntry[];
};
