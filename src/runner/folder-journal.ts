// The journal and the money of an iteration in a folder: each operation is one line, written under the lease's fence.

import type { RunId } from "../domain/run/run.ts";
import { AppError } from "../lib/app-error.ts";
import { assert } from "../lib/assert.ts";
import type {
  EndedEffect,
  EntryHead,
  JournalEntry,
  JournalStore,
  Kept,
  Lease,
  ModelCall,
  RecordedEntry,
  RunMessage,
  Usage,
} from "../runs/ports/run-store.ts";
import { toRunMessage } from "./folder-tx.ts";
import type { FolderOptions, FolderWrites, OpenFolder } from "./open-folder.ts";
import { type EntryLine, findOpenCalls, type Put, type RunFile, readEntries } from "./run-file.ts";

type InFolder = <T>(work: (open: OpenFolder) => Promise<T>) => Promise<T>;

export function folderJournal({ disk }: FolderOptions, inFolder: InFolder): JournalStore<FolderWrites> {
  /** Does nothing, and says so, once the lease is someone else's. */
  const fenced = <T>(lease: Lease, work: (open: OpenFolder, file: RunFile) => Promise<T>): Promise<T | "lost"> =>
    inFolder(async (open) => {
      const file = assertRun(open, lease.runId);
      return isOurs(file, lease) ? work(open, file) : "lost";
    });
  const keep = (lease: Lease, entryOf: (open: OpenFolder) => EntryLine | null): Promise<Kept> =>
    fenced(lease, async (open) => {
      const entry = entryOf(open);
      if (entry !== null) open.append(entry);
      return "kept" as const;
    });
  return {
    recordEntry: (lease, entry) => keep(lease, (open) => toEntry(open, lease, toDone(entry), entry)),
    recordWrites: (lease, work) =>
      fenced(lease, async (open) => {
        const puts: Put[] = [];
        const staging = `${lease.iteration}-${lease.fence}-${open.draft.newId()}`;
        const entry = await work({
          put: (name, text) => {
            assert(isPlainName(name), `a file of a run has a plain name, not ${name}`);
            const put = { from: open.place(name, staging), to: open.place(name) };
            disk.replace(put.from, text);
            puts.push(put);
          },
        });
        open.append({ ...toEntry(open, lease, toDone(entry), entry), puts });
        return "kept" as const;
      }),
    reserveCall: (lease, call) => fenced(lease, async (open, file) => reserve(open, file, lease, call)),
    settleCall: (lease, call, usage, entry) =>
      inFolder(async (open) => settle(open, assertRun(open, lease.runId), lease, call, usage, entry)),
    noteSilence: async () => "kept",
    intendEffect: (lease, { key, lane }) =>
      keep(lease, (open) => {
        if (readEntries(open.draft.lines).has(key)) return null;
        return toEntry(open, lease, {
          key,
          lane: lane.id,
          kind: "effect",
          state: "intended",
          result: null,
          handle: null,
        });
      }),
    keepHandle: (lease, { key }, handle) =>
      keep(lease, (open) => {
        const known = readEntries(open.draft.lines).get(key);
        return known?.state === "intended" ? toEntry(open, lease, { ...known, handle }) : null;
      }),
    isAtWork: (lease) =>
      inFolder(async (open) => {
        const { state } = assertRun(open, lease.runId).run;
        return state.status === "running" && state.iteration === lease.iteration;
      }),
    finishEffect: (lease, head, ended) =>
      keep(lease, (open) => toEntry(open, lease, toEnded(head, ended), ended.kind === "done" ? ended : undefined)),
    hear: (lease, head, shown) => fenced(lease, async (open, file) => hear(open, file, lease, head, shown)),
  };
}

/** A lease of another run's folder is a mistake of the caller's. */
function assertRun({ draft }: OpenFolder, runId: RunId): RunFile {
  if (draft.file?.run.id !== runId) throw new AppError("not_found", `The folder does not have the run ${runId}`);
  return draft.file;
}

const isOurs = ({ run }: RunFile, { fence }: Lease): boolean => run.fence === fence && run.state.status === "running";

/** Nothing of a path: it stays in the folder. */
const isPlainName = (name: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/.test(name);

type Words = { readonly did: string; readonly error: string | null };

const toEntry = (
  { draft }: OpenFolder,
  { fence }: Lease,
  entry: JournalEntry,
  { did, error }: Words = { did: "", error: null },
): EntryLine => ({ line: "entry", fence, atMs: draft.nowMs, content: entry, did, error });

const toDone = ({ key, lane, kind, result }: RecordedEntry): JournalEntry => ({
  key,
  lane: lane.id,
  kind,
  state: "done",
  result,
  handle: null,
});

const toEnded = ({ key, lane }: EntryHead, ended: EndedEffect): JournalEntry => ({
  key,
  lane: lane.id,
  kind: "effect",
  state: ended.kind,
  result: ended.kind === "done" ? ended.result : null,
  handle: null,
});

async function reserve(
  { draft, append }: OpenFolder,
  file: RunFile,
  { fence }: Lease,
  { callId, reservedMicroUsd }: ModelCall,
): Promise<"kept" | "refused"> {
  const { budget, spent } = file.run;
  const open = findOpenCalls(file, draft.lines).reduce((sum, call) => sum + call.reservedMicroUsd, 0);
  const isTooMuch =
    budget.isCostHard &&
    budget.maxCostMicroUsd !== null &&
    spent.costMicroUsd + open + reservedMicroUsd > budget.maxCostMicroUsd;
  if (isTooMuch) return "refused";
  append({ line: "reserved", fence, atMs: draft.nowMs, callId, reservedMicroUsd });
  return "kept";
}

async function settle(
  open: OpenFolder,
  file: RunFile,
  lease: Lease,
  { callId, reservedMicroUsd, isUnpriced = false }: ModelCall,
  usage: Usage | "unknown",
  recorded: RecordedEntry | null,
): Promise<Kept> {
  if (!findOpenCalls(file, open.draft.lines).some((call) => call.callId === callId)) return "lost";
  const spent =
    usage === "unknown"
      ? { costMicroUsd: reservedMicroUsd, tokens: 0, unpricedCalls: isUnpriced ? 1 : 0 }
      : {
          costMicroUsd: usage.costMicroUsd,
          tokens: usage.inputTokens + usage.outputTokens,
          unpricedCalls: usage.pricedBy === "unpriced" ? 1 : 0,
        };
  const entry = recorded !== null && isOurs(file, lease) ? toEntry(open, lease, toDone(recorded), recorded) : null;
  open.append({ line: "settled", atMs: open.draft.nowMs, callId, spent, entry });
  return isOurs(file, lease) ? "kept" : "lost";
}

async function hear(
  open: OpenFolder,
  { messages }: RunFile,
  lease: Lease,
  { key, lane }: EntryHead,
  shown: readonly string[],
): Promise<readonly RunMessage[]> {
  const taken = messages.filter(({ iteration }) => iteration === null || iteration === lease.iteration);
  const said = taken.filter(({ id }) => !shown.includes(id)).map(toRunMessage);
  if (said.length === 0) return [];
  const result = { result: said, artifacts: [] };
  const heard = messages.filter(({ iteration }) => iteration === null).map(({ id }) => id);
  open.append({
    ...toEntry(open, lease, { key, lane: lane.id, kind: "platform", state: "done", result, handle: null }),
    heard,
  });
  return said;
}
