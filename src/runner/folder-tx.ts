// A transaction on the run of a folder: everything happens to a draft in memory, and the folder's store replaces `run.json` with it
// at the end. One folder has one run, so there are no slots to wait for and no users to lock.

import type { ArtifactRef } from "../domain/plan/plan.ts";
import { addSpent, nothingSpent } from "../domain/run/budget/budget.ts";
import type { NewRunMessage } from "../domain/run/effects.ts";
import type { RunRecord } from "../domain/run/report/report.ts";
import { isTerminal, type Run } from "../domain/run/run.ts";
import type { ProcessIdentity } from "../files/process-identity.ts";
import { assert } from "../lib/assert.ts";
import type { JobAttempt, Lease, RunChange, RunMessage, RunTx } from "../runs/ports/run-store.ts";
import { toLine } from "./json-lines.ts";
import {
  findOpenCalls,
  type JournalLine,
  type KeptMessage,
  newRunFile,
  type RunFile,
  readEntries,
} from "./run-file.ts";

export type Draft = {
  /** Folded; null: the folder has no run yet. */
  file: RunFile | null;
  readonly before: RunFile | null;
  /** Of the iteration that is due. */
  readonly lines: readonly JournalLine[];
  readonly nowMs: number;
  readonly self: ProcessIdentity;
  readonly isAlive: (process: ProcessIdentity) => boolean;
  readonly newId: () => string;
};

/** A message of the user that another place keeps, under the id that it has there. */
export type SaidElsewhere = {
  readonly id: string;
  readonly text: string;
  /** The agent at work has read it. */
  readonly isHeard: boolean;
};

export const jobIdOf = ({ id }: Run, iteration: number): string => `${id}:${iteration}`;

export function folderTx(draft: Draft): RunTx {
  return {
    lockUser: async () => {},
    lockRun: async (runId) => {
      const { file } = draft;
      if (file === null || file.run.id !== runId) return null;
      const { run, attempts, lease } = file;
      return { run, attempts, isLeased: lease !== null, leasedMs: measureLease(draft), isOwnerShut: false };
    },
    insertRun: async (run) => {
      assert(draft.file === null, "a folder has one run");
      draft.file = newRunFile(run);
    },
    save: async (change) => {
      draft.file = saveChange(draft, fileOf(draft), change);
    },
    // A folder has no one to notify.
    readNotification: async () => {},
    recordOf: async (run) => toRecord(fileOf(draft), run),
    countSlots: async () => (isInLine(draft) ? 0 : 1),
    maxSlots: async () => null,
    nextInLine: async () => (isInLine(draft) ? fileOf(draft).run.id : null),
    takeUpMessages: async (_runId, iteration, isNew) => takeUpMessages(draft, iteration, isNew),
    readJournal: async (_runId, iteration) =>
      fileOf(draft).run.state.iteration === iteration ? [...readEntries(draft.lines).values()] : [],
    giveUpCalls: async () => giveUpCalls(draft),
    // No model is asked by a run in a folder; its agents ask theirs themselves.
    markSilent: async () => null,
    workedMs: async (lease) => measureWork(draft, lease),
    enqueue: async (_run, iteration, notBeforeMs) => {
      draft.file = { ...fileOf(draft), due: { iteration, notBeforeMs } };
    },
    // A run in a folder is no attempt at a task of an outcome.
    tellOutcome: async () => {},
    isTaskAtWork: async () => true,
    dropJob: async () => {
      draft.file = { ...fileOf(draft), due: null };
    },
    acknowledge: async (job) => acknowledge(draft, job),
  };
}

function fileOf({ file }: Draft): RunFile {
  assert(file !== null, "the folder has a run");
  return file;
}

/** Up to now, or to the last line of a process that has died. */
export function measureLease({ file, lines, nowMs, isAlive }: Draft): number {
  const lease = file?.lease ?? null;
  if (lease === null) return 0;
  const lastMs = Math.max(lease.sinceMs, ...lines.map(({ atMs }) => atMs));
  return Math.max(0, (isAlive(lease.holder) ? nowMs : lastMs) - lease.sinceMs);
}

function measureWork({ file, lines }: Draft, { fence }: Lease): number {
  const sinceMs = file?.lease?.sinceMs ?? 0;
  const done = lines.flatMap((line) => {
    const entry = line.line === "settled" ? line.entry : line;
    return entry?.line === "entry" && entry.fence === fence && entry.content.state === "done" ? [entry.atMs] : [];
  });
  return Math.max(0, ...done.map((atMs) => atMs - sinceMs));
}

const isInLine = ({ file }: Draft): boolean => file?.run.state.status === "queued" && !file.run.state.hasSlot;

function acknowledge(draft: Draft, { id, attempt }: JobAttempt): boolean {
  const { run, due, deliveries } = fileOf(draft);
  if (due === null || jobIdOf(run, due.iteration) !== id || deliveries !== attempt) return false;
  draft.file = { ...fileOf(draft), due: null };
  return true;
}

function saveChange({ nowMs, self, newId }: Draft, file: RunFile, change: RunChange): RunFile {
  const { run, lease, events, attempt, ended, unheard } = change;
  const isSameIteration = run.state.iteration === file.run.state.iteration;
  const unread = file.messages.filter(({ iteration }) => iteration !== null && iteration === unheard);
  const kept = file.messages.map((message) => (unread.includes(message) ? { ...message, iteration: null } : message));
  const lines = events.map((event, at) => toLine({ seq: file.lastSeq + at + 1, at_ms: nowMs, ...event }));
  return {
    ...file,
    run: {
      ...run,
      unreadMessages: run.unreadMessages + unread.length,
      // Money, tokens and tool calls are the journal's.
      spent: { ...file.run.spent, runningMs: run.spent.runningMs },
    },
    attempts: attempt?.attempt ?? (isSameIteration ? file.attempts : 0),
    lease: { begin: { fence: run.fence, holder: self, sinceMs: nowMs }, keep: file.lease, release: null }[lease],
    messages: [...kept, ...change.messages.map((message) => toMessage(message, newId(), nowMs))],
    artifacts: ended === null ? file.artifacts : union(file.artifacts, ended.artifacts),
    ended: file.ended + (ended === null ? 0 : 1),
    report: change.report ?? file.report,
    // The next iteration has a journal of its own.
    ...(isSameIteration ? {} : { folded: 0, givenUp: [] }),
    lastSeq: file.lastSeq + events.length,
    told: { ...file.told, text: file.told.text + lines.join("") },
  };
}

/** A run that has ended hears nothing any more. */
export function hearOf(draft: Draft, said: readonly SaidElsewhere[]): void {
  const { file, nowMs } = draft;
  if (file === null || isTerminal(file.run.state.status)) return;
  const known = new Set(file.messages.map(({ id }) => id));
  const fresh = said.filter(({ id }) => !known.has(id));
  if (fresh.length === 0) return;
  const { iteration } = file.run.state;
  const unread = fresh.filter(({ isHeard }) => !isHeard).length;
  const events = fresh.map(({ text }, at) =>
    toLine({ seq: file.lastSeq + at + 1, at_ms: nowMs, type: "run_steered", iteration, message: text }),
  );
  draft.file = {
    ...file,
    run: { ...file.run, unreadMessages: file.run.unreadMessages + unread },
    messages: [
      ...file.messages,
      ...fresh.map(({ id, text, isHeard }): KeptMessage => {
        const kept = { id, atMs: nowMs, kind: "steer", questionId: null, question: null, text } as const;
        return { ...kept, iteration: isHeard ? iteration : null };
      }),
    ],
    lastSeq: file.lastSeq + events.length,
    told: { ...file.told, text: file.told.text + events.join("") },
  };
}

const toMessage = (message: NewRunMessage, id: string, atMs: number): KeptMessage => ({
  id,
  atMs,
  kind: message.kind,
  questionId: message.kind === "answer" ? message.questionId : null,
  question: message.kind === "answer" ? message.question : null,
  text: message.text,
  iteration: null,
});

/** More is not named in a report. */
const artifactsMax = 1_000;

const union = (known: readonly ArtifactRef[], more: readonly ArtifactRef[]): readonly ArtifactRef[] =>
  [...new Map([...known, ...more].map((ref) => [`${ref.kind} ${ref.id}`, ref])).values()].slice(0, artifactsMax);

function takeUpMessages(draft: Draft, iteration: number, isNew: boolean): readonly RunMessage[] {
  const file = fileOf(draft);
  const messages = file.messages.map((message) =>
    isNew && message.iteration === null ? { ...message, iteration } : message,
  );
  draft.file = { ...file, messages };
  return messages.filter((message) => message.iteration === iteration).map(toRunMessage);
}

export const toRunMessage = ({ id, kind, questionId, question, text }: KeptMessage): RunMessage => ({
  id,
  kind,
  questionId,
  question,
  text,
});

/** Their answers will never come: charged at their reservation. */
function giveUpCalls(draft: Draft): void {
  const file = fileOf(draft);
  const open = findOpenCalls(file, draft.lines);
  if (open.length === 0) return;
  const costMicroUsd = open.reduce((sum, { reservedMicroUsd }) => sum + reservedMicroUsd, 0);
  draft.file = {
    ...file,
    givenUp: [...file.givenUp, ...open.map(({ callId }) => callId)],
    run: { ...file.run, spent: addSpent(file.run.spent, { ...nothingSpent, costMicroUsd }) },
  };
}

/** For the report. What a folder's files are about, only their names tell. */
function toRecord({ artifacts, ended, messages }: RunFile, run: Run): RunRecord {
  const created = artifacts.map(({ kind, id }) => ({ type: kind, id, title: id, project_id: null }));
  const types = [...new Set(created.map(({ type }) => type))];
  return {
    created,
    updated: [],
    linked: [],
    counts: types.map((type) => ({ type, created: created.filter((each) => each.type === type).length, updated: 0 })),
    plans: [],
    documents: [],
    messages: messages.map(({ atMs, kind, question, text }) => ({
      // biome-ignore lint/style/noRestrictedGlobals: writes a given time; reads no clock
      at: new Date(atMs).toISOString(),
      kind,
      question,
      text,
    })),
    closing: run.closing,
    cachedTokens: null,
    checkChanges: [],
    proofs: run.state.status === "completed" ? run.state.proofs : run.lastProofs,
    iterations: ended,
    narrative: null,
  };
}
