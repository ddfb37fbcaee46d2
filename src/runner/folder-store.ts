// The run of one folder, for a loop without a database: `run.json`, `journal/<iteration>.jsonl` and `events.jsonl`. Whatever reads
// and then writes holds the folder's lock; a worker that lost its lease is told so and has written nothing.

import path from "node:path";
import type { Run } from "../domain/run/run.ts";
import { withLock } from "../files/lock.ts";
import type { IterationJob, Lease, RunStore, RunTx } from "../runs/ports/run-store.ts";
import { withRunningTime } from "../runs/take-run.ts";
import { folderJournal } from "./folder-journal.ts";
import { type Draft, folderTx, hearOf, jobIdOf, measureLease, type SaidElsewhere } from "./folder-tx.ts";
import { type Lines, readLines, toLine } from "./json-lines.ts";
import type { FolderOptions, FolderWrites, OpenFolder } from "./open-folder.ts";
import { foldJournal, type JournalLine, parseJournalLine, parseRunFile, type RunFile } from "./run-file.ts";

export type FolderStore = RunStore<FolderWrites> & {
  /** What is due now; null: nothing is, or not yet, or a living process has the lease. */
  readonly fetch: () => Promise<IterationJob | null>;
  readonly read: () => Promise<RunFile | null>;
  /** The run of the folder; where it has none, the one that is made. Of two processes that begin it, one does. */
  readonly beginOnce: (make: (tx: RunTx) => Promise<Run>) => Promise<{ readonly run: Run; readonly isNew: boolean }>;
  /** Makes messages of another place known to the run, each once. */
  readonly hearOf: (said: readonly SaidElsewhere[]) => Promise<void>;
  /** What is due is not handed out before this time. */
  readonly postpone: (untilMs: number) => Promise<void>;
  /** A worker that stops in good order gives its lease back: its time counts, and it is not taken for dead. */
  readonly letGo: (lease: Lease) => Promise<void>;
};

/** A change takes milliseconds; what waits for longer than this waits for something that hangs. */
const lockWaitMs = 10_000;

export function folderStore(options: FolderOptions): FolderStore {
  const inFolder = <T>(work: (open: OpenFolder) => Promise<T>): Promise<T> =>
    withLock(
      {
        folder: path.join(options.folder, "lock"),
        self: options.self,
        env: options.env,
        waitMs: lockWaitMs,
        whileHeld: "changes this run",
      },
      () => work(openFolder(options)),
    );
  const change = <T>(work: (draft: Draft) => Promise<T>): Promise<T> =>
    inFolder(async ({ draft }) => {
      const result = await work(draft);
      if (draft.file !== null && draft.file !== draft.before) writeRun(options, draft.before, draft.file);
      return result;
    });
  return {
    ...folderJournal(options, inFolder),
    transaction: (work) => change((draft) => work(folderTx(draft))),
    beginOnce: (make) =>
      change(async (draft) =>
        draft.file === null ? { run: await make(folderTx(draft)), isNew: true } : { run: draft.file.run, isNew: false },
      ),
    read: () => inFolder(async ({ draft }) => draft.file),
    hearOf: (said) => change(async (draft) => hearOf(draft, said)),
    fetch: () => change(async (draft) => handOut(draft)),
    postpone: (untilMs) => change(async (draft) => postpone(draft, untilMs)),
    letGo: (lease) => change(async (draft) => letGo(draft, lease)),
  };
}

const fileIn = ({ folder }: FolderOptions) => path.join(folder, "run.json");
const eventsIn = ({ folder }: FolderOptions) => path.join(folder, "events.jsonl");
const journalIn = ({ folder }: FolderOptions, iteration: number) =>
  path.join(folder, "journal", `${String(iteration).padStart(4, "0")}.jsonl`);

/** What a crash left half done is finished first: it was decided, and only its copies were missing. */
function openFolder(options: FolderOptions): OpenFolder {
  const { disk, env, self, isAlive } = options;
  const text = disk.read(fileIn(options));
  const before = text === null ? null : parseRunFile(fileIn(options), text.toString("utf8"));
  if (before !== null) tell(options, before);
  const iteration = before?.run.state.iteration ?? 1;
  const journal: Lines<JournalLine> = readLines(disk, journalIn(options, iteration), parseJournalLine);
  putInPlace(options, journal.values.at(-1));
  const file = before && foldJournal(before, journal.values);
  let { end } = journal;
  return {
    draft: { file, before: file, lines: journal.values, nowMs: env.now(), self, isAlive, newId: env.newId },
    append: (line) => {
      const written = toLine(line);
      disk.append(journalIn(options, iteration), end, written);
      end += Buffer.byteLength(written);
      putInPlace(options, line);
    },
    place: (name, staged) => path.join(options.folder, staged === undefined ? "files" : "staged", staged ?? "", name),
  };
}

/** Events go after their change, at the place that the change names: doing it twice does no harm. */
function tell(options: FolderOptions, { told: { at, text } }: RunFile): void {
  const size = options.disk.read(eventsIn(options))?.length ?? 0;
  if (size < at + Buffer.byteLength(text)) options.disk.append(eventsIn(options), at, text);
}

function putInPlace({ disk }: FolderOptions, line: JournalLine | undefined): void {
  if (line?.line !== "entry") return;
  for (const { from, to } of line.puts ?? []) if (disk.read(from) !== null) disk.move(from, to);
}

function writeRun(options: FolderOptions, before: RunFile | null, file: RunFile): void {
  const earlier = before?.told ?? { at: 0, text: "" };
  const told = { at: earlier.at + Buffer.byteLength(earlier.text), text: file.told.text.slice(earlier.text.length) };
  const next = { ...file, told };
  options.disk.replace(fileIn(options), `${JSON.stringify(next, null, 2)}\n`);
  tell(options, next);
  // Nothing of an iteration that is over is still to be put in place: what is left there was staged by an entry that died.
  if (before?.run.state.iteration !== file.run.state.iteration)
    options.disk.remove(path.join(options.folder, "staged"));
}

function handOut(draft: Draft): IterationJob | null {
  const { file, nowMs, isAlive } = draft;
  if (file?.due == null || (file.due.notBeforeMs ?? 0) > nowMs) return null;
  if (file.lease !== null && isAlive(file.lease.holder)) return null;
  const attempt = file.deliveries + 1;
  draft.file = { ...file, deliveries: attempt };
  const { iteration } = file.due;
  return { id: jobIdOf(file.run, iteration), attempt, runId: file.run.id, iteration };
}

function postpone(draft: Draft, untilMs: number): void {
  const { file } = draft;
  if (file?.due == null) return;
  draft.file = { ...file, due: { ...file.due, notBeforeMs: Math.max(file.due.notBeforeMs ?? 0, untilMs) } };
}

function letGo(draft: Draft, { fence }: Lease): void {
  const { file } = draft;
  if (file?.lease?.fence !== fence) return;
  draft.file = { ...file, lease: null, run: withRunningTime(file.run, measureLease(draft)) };
}
