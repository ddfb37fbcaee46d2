// What a folder keeps of its run: `run.json`, as it was at the last change, and a journal for the iteration that is due. A change
// is one file replaced, an entry of an iteration is one line added, so a crash leaves either all of it or nothing.

import type { ArtifactRef } from "../domain/plan/plan.ts";
import { addSpent, nothingSpent, type Spent } from "../domain/run/budget/budget.ts";
import type { Report } from "../domain/run/report/report-shape.ts";
import type { Run } from "../domain/run/run.ts";
import type { ProcessIdentity } from "../files/process-identity.ts";
import { AppError } from "../lib/app-error.ts";
import { mustFit, number, object, oneOf, text, whole } from "../lib/shape.ts";
import type { JournalEntry, RunMessage } from "../runs/ports/run-store.ts";

/** `iteration`: which one took it up; null: unread. */
export type KeptMessage = RunMessage & { readonly atMs: number; readonly iteration: number | null };

export type FolderLease = { readonly fence: number; readonly holder: ProcessIdentity; readonly sinceMs: number };

export type RunFile = {
  readonly version: 1;
  readonly run: Run;
  /** Tries so far at the iteration that is due. */
  readonly attempts: number;
  readonly lease: FolderLease | null;
  readonly due: { readonly iteration: number; readonly notBeforeMs: number | null } | null;
  /** How often something due was handed out; only the last one may be acknowledged. */
  readonly deliveries: number;
  readonly messages: readonly KeptMessage[];
  /** What it made or changed, once each. */
  readonly artifacts: readonly ArtifactRef[];
  /** Iterations that have ended. */
  readonly ended: number;
  readonly report: Report | null;
  /** Lines of the journal that are part of `run` and `messages` already. */
  readonly folded: number;
  /** Calls of this iteration that were charged at their reservation. */
  readonly givenUp: readonly string[];
  readonly lastSeq: number;
  /** Events of the last change, and at which byte of `events.jsonl` they stand. */
  readonly told: { readonly at: number; readonly text: string };
};

/** What was written: from where it was staged, to where it belongs. */
export type Put = { readonly from: string; readonly to: string };

export type EntryLine = {
  readonly line: "entry";
  readonly fence: number;
  readonly atMs: number;
  readonly content: JournalEntry;
  readonly did: string;
  readonly error: string | null;
  /** Messages that it took up. */
  readonly heard?: readonly string[];
  readonly puts?: readonly Put[];
};

export type JournalLine =
  | EntryLine
  | {
      readonly line: "reserved";
      readonly fence: number;
      readonly atMs: number;
      readonly callId: string;
      readonly reservedMicroUsd: number;
    }
  /** Money is settled also after the lease was lost; the entry is there only while the lease was ours. */
  | {
      readonly line: "settled";
      readonly atMs: number;
      readonly callId: string;
      readonly spent: Pick<Spent, "costMicroUsd" | "tokens" | "unpricedCalls">;
      readonly entry: EntryLine | null;
    };

export const newRunFile = (run: Run): RunFile => ({
  version: 1,
  run,
  attempts: 0,
  lease: null,
  due: null,
  deliveries: 0,
  messages: [],
  artifacts: [],
  ended: 0,
  report: null,
  folded: 0,
  givenUp: [],
  lastSeq: 0,
  told: { at: 0, text: "" },
});

/** The rest of it is ours alone to write; a file of a later version is not guessed at. */
const head = object({
  version: whole,
  run: object({ id: text, fence: whole, state: object({ status: text }) }),
});

export function parseRunFile(file: string, content: string): RunFile {
  const value: unknown = JSON.parse(content);
  const { version } = mustFit(head, value);
  if (version > 1)
    throw new AppError("schema_newer", `${file} was written by a later version of Homework; use that one`);
  return value as RunFile;
}

const lineHead = object({ line: oneOf("entry", "reserved", "settled"), atMs: number });

export function parseJournalLine(value: unknown): JournalLine {
  mustFit(lineHead, value);
  return value as JournalLine;
}

/** As it stands now: with what the lines since the last change have added. */
export function foldJournal(file: RunFile, lines: readonly JournalLine[]): RunFile {
  const fresh = lines.slice(file.folded);
  if (fresh.length === 0) return file;
  const heard = new Set(fresh.flatMap((line) => (line.line === "entry" ? (line.heard ?? []) : [])));
  const messages = file.messages.map((message) =>
    heard.has(message.id) ? { ...message, iteration: file.run.state.iteration } : message,
  );
  const { unreadMessages } = file.run;
  return {
    ...file,
    messages,
    run: {
      ...file.run,
      unreadMessages: heard.size === 0 ? unreadMessages : messages.filter(({ iteration }) => iteration === null).length,
      spent: fresh.reduce((spent, line) => addSpent(spent, spentBy(line)), file.run.spent),
    },
    folded: lines.length,
  };
}

function spentBy(line: JournalLine): Spent {
  if (line.line === "settled") return { ...nothingSpent, ...line.spent };
  if (line.line === "reserved") return nothingSpent;
  const { kind, state, handle } = line.content;
  // An effect counts once it is intended: it may have happened from then on. A line with its handle is of the same one.
  const isCall =
    (kind === "tool" && state === "done") || (kind === "effect" && state === "intended" && handle === null);
  return { ...nothingSpent, toolCalls: isCall ? 1 : 0 };
}

/** What was done in the iteration, by key. */
export function readEntries(lines: readonly JournalLine[]): ReadonlyMap<string, JournalEntry> {
  const entries = lines.flatMap((line) => {
    if (line.line === "entry") return [line];
    return line.line === "settled" && line.entry !== null ? [line.entry] : [];
  });
  return new Map(entries.map(({ content }) => [content.key, content]));
}

type OpenCall = Extract<JournalLine, { line: "reserved" }>;

export function findOpenCalls({ givenUp }: RunFile, lines: readonly JournalLine[]): readonly OpenCall[] {
  const settled = new Set([...givenUp, ...lines.flatMap((line) => (line.line === "settled" ? [line.callId] : []))]);
  return lines.flatMap((line) => (line.line === "reserved" && !settled.has(line.callId) ? [line] : []));
}
