// Writes that wait for their user's word (`per_write`): a tool's write is tried on top of what waits already, taken back, and
// kept as a record; once approved it is done again, and stays only if it does exactly what was approved. Trying, keeping and
// the journal's line are one transaction, and so are doing it again and noting it down: each happens once.

import { asPlatform, type Tx } from "../../db/database.ts";
import { inSavepoint } from "../../db/savepoint.ts";
import { approvalQuestion, summaryOf } from "../../domain/change-set/approval-question.ts";
import { drift, replacesNewerText } from "../../domain/change-set/drift.ts";
import type { NewStagedWrite, StagedChange, StagedWrite } from "../../domain/change-set/staged-write.ts";
import type { PlannerView } from "../../domain/planner/view.ts";
import type { Question } from "../../domain/run/question.ts";
import type { RunningRun } from "../../domain/run/run.ts";
import { assert } from "../../lib/assert.ts";
import type { Journal, Written } from "../../runs/ports/engine.ts";
import type { EntryHead } from "../../runs/ports/run-store.ts";
import {
  endApproved,
  findWrite,
  openCalls,
  openWrites,
  saveStaged,
  takeUpRejected,
} from "../../store/change/change-set-store.ts";
import { changesSince, inTrial, markHistory } from "../../store/change/trial-store.ts";
import { toJson } from "../../store/json.ts";
import type { Registry } from "../../tools/registry.ts";
import { refuse, type Tool, type ToolContext, type ToolOutcome, type WriteTool } from "../../tools/tool.ts";
import { toNote } from "../ask.ts";
import { attemptTool } from "./call-tool.ts";
import { entryIds } from "./entry-ids.ts";

export type Staging = {
  readonly run: RunningRun;
  readonly journal: Journal<Tx>;
  readonly registry: Pick<Registry, "find">;
  /** Where the run's tools work; each write gets its own branch, iteration and ids. */
  readonly context: ToolContext;
};

export type StagedCall = Staging & {
  readonly tool: Tool;
  /** As the tool's schema left them. */
  readonly args: unknown;
  readonly key: string;
  /** What its entry says of itself; left out: its key. */
  readonly head?: EntryHead;
};

/** What the tool would answer, said to be staged; nothing is written. A refusal is answered as it is. */
export async function stageToolWrite(call: StagedCall): Promise<ToolOutcome> {
  return (await call.journal.write(call.head ?? call.key, (tx) => stage(tx, call))).outcome;
}

/** How the journal keeps a call of a tool. */
type KeptCall = { readonly tool: string; readonly outcome: ToolOutcome };

async function stage(tx: Tx, call: StagedCall): Promise<Written<KeptCall>> {
  const { run, tool, context, key } = call;
  assert(tool.kind === "write", `${tool.name} writes to our database`);
  // As it will come back from the table, so that the replay is given the very same.
  const args: unknown = JSON.parse(toJson(call.args));
  const place = { iteration: run.state.iteration, entryKey: key };
  const wanted = { ...place, branchId: context.branchId, seed: place, args };
  const { outcome, changes } = await tryOver(tx, call, tool, wanted);
  if (!outcome.ok || changes.length === 0) return kept(tool, outcome);
  const write = { ...wanted, id: idOf(run, key), tool: tool.name, why: call.head?.lane.title ?? "", note: "", changes };
  const staged = await asPlatform(tx, (platform) => saveStaged(platform, run.id, write));
  if (staged.outcome === "full") return kept(tool, full);
  const text = `Staged as change ${staged.position}, NOT written yet: it waits for the user's approval. Once approved: ${outcome.text}`;
  return kept(tool, { ...outcome, artifacts: [], text, summary: `Staged: ${summaryOf(write)}` });
}

const full = refuse(
  "unavailable",
  "Too much waits for the user's approval already. End this iteration, so that they can decide.",
);

const kept = (tool: Tool, outcome: ToolOutcome): Written<KeptCall> => ({
  result: { tool: tool.name, outcome },
  summary: outcome.ok ? outcome.summary : outcome.text.slice(0, 200),
  error: outcome.ok ? null : outcome.text.slice(0, 2_000),
  artifacts: [],
});

const idOf = ({ id, state }: RunningRun, key: string) => entryIds(id, state.iteration, `change ${key}`)();

/** What has to be known to do a write, the first time or again. */
type WriteCall = Pick<NewStagedWrite, "args" | "branchId" | "iteration" | "seed">;
type Tried = { readonly outcome: ToolOutcome; readonly changes: readonly StagedChange[] };

const tryOver = (tx: Tx, staging: Staging, tool: WriteTool<unknown>, call: WriteCall): Promise<Tried> =>
  overStagedWrites(tx, staging, () => tryWrite(tx, staging, tool, call));

/**
 * As if everything that waits were written; nothing of it stays. Also for reads, so that a run sees what it staged. What cannot
 * be done any more is left out: its own replay will say so.
 */
export async function overStagedWrites<T>(tx: Tx, staging: Staging, work: () => Promise<T>): Promise<T> {
  const waiting = await openCalls(tx, staging.run.id);
  // They were compared with what their own sessions had read.
  const { thingsRead: _, ...context } = staging.context;
  return inTrial(tx, async () => {
    for (const write of waiting) {
      const tool = writeToolOf(staging, write);
      if (tool !== null) await attempt(tx, { ...staging, context }, tool, write);
    }
    return work();
  });
}

async function tryWrite(tx: Tx, staging: Staging, tool: WriteTool<unknown>, call: WriteCall): Promise<Tried> {
  const mark = await markHistory(tx);
  const outcome = await attempt(tx, staging, tool, call);
  return { outcome, changes: outcome.ok ? await changesSince(tx, mark) : [] };
}

function attempt(tx: Tx, { run, context }: Staging, tool: WriteTool<unknown>, call: WriteCall): Promise<ToolOutcome> {
  const { args, branchId, iteration, seed } = call;
  const place = { ...context, branchId, iteration, newId: entryIds(run.id, seed.iteration, seed.entryKey) };
  return attemptTool(tx, tool, place, args);
}

function writeToolOf({ registry }: Staging, { tool: name }: Pick<StagedWrite, "tool">): WriteTool<unknown> | null {
  const found = registry.find(name);
  return found.ok && found.tool.kind === "write" ? found.tool : null;
}

/** For the planner: what became of what it staged. */
export type DecidedWrite = PlannerView["decidedWrites"][number] & {
  readonly kind: "applied" | "drifted" | "rejected";
  readonly tool: string;
};

/** Before an iteration plans: writes what was approved, each as a step of its own, and tells what became of the rest. */
export async function replayApproved(staging: Staging): Promise<readonly DecidedWrite[]> {
  const { journal } = staging;
  const { approved, rejected } = await journal.write("decided", (tx) => readDecided(tx, staging));
  const replayed: DecidedWrite[] = [];
  for (const id of approved) replayed.push(await journal.write(`replay:${id}`, (tx) => replay(tx, staging, id)));
  return [...replayed, ...rejected];
}

/** Journaled, so that another attempt goes through the same list and tells the same. */
async function readDecided(tx: Tx, { run }: Staging) {
  const approved = (await openWrites(tx, run.id, "approved")).map(({ id }) => id);
  const turnedDown = await asPlatform(tx, (platform) => takeUpRejected(platform, run.id, run.state.iteration));
  const rejected = turnedDown.map((write) =>
    decided("rejected", write, `rejected, and never written${write.note === "" ? "" : `: ${write.note}`}`),
  );
  const summary = `${approved.length} changes approved, ${rejected.length} rejected`;
  return toNote({ approved, rejected }, summary);
}

const decided = (kind: DecidedWrite["kind"], write: StagedWrite, decision: string): DecidedWrite => ({
  kind,
  tool: write.tool,
  summary: summaryOf(write),
  decision,
});

async function replay(tx: Tx, staging: Staging, id: string): Promise<Written<DecidedWrite>> {
  const { run } = staging;
  const write = await findWrite(tx, run.id, id);
  assert(write, `change ${id} was approved`);
  const tool = writeToolOf(staging, write);
  const { outcome, why, changes } = tool === null ? gone(write) : await redo(tx, staging, tool, write);
  const end = why === null ? ({ state: "applied" } as const) : ({ state: "drifted", note: why } as const);
  const isEnded = await asPlatform(tx, (platform) => endApproved(platform, run.id, id, end));
  assert(isEnded, `change ${id} is carried out once`);
  if (why === null) {
    const artifacts = outcome.ok ? outcome.artifacts : [];
    const ids = artifacts.map(({ kind, id }) => `${kind} ${id}`).join(", ");
    const result = decided("applied", write, `approved, and written${ids === "" ? "" : ` (${ids})`}`);
    return { result, summary: `Written as approved: ${result.summary}`, artifacts, isBookkeeping: true };
  }
  const isOverOthers = replacesNewerText(write.changes, changes);
  const isAsked = tool !== null && !isOverOthers && (await stageAgain(tx, staging, tool, write, why));
  const after = isAsked
    ? "The user is asked again"
    : isOverOthers
      ? readAndMerge
      : "It cannot be done like this any more";
  const result = decided("drifted", write, `approved, but not written: ${why}. ${after}`);
  return toNote(result, `Not written, ${isAsked ? "asked again" : "given up"}: ${result.summary}`, why);
}

const readAndMerge =
  "It would replace a text that was changed since. Read the text as it is, put both together, and write again";

type Redone = Tried & { readonly why: string | null };

const gone = ({ tool }: StagedWrite): Redone => {
  const why = `there is no tool ${tool} any more`;
  return { outcome: refuse("unavailable", why), why, changes: [] };
};

/** What it writes stays only where it is exactly what was approved. */
function redo(tx: Tx, staging: Staging, tool: WriteTool<unknown>, write: StagedWrite): Promise<Redone> {
  const again = async (): Promise<Redone> => {
    const { outcome, changes } = await tryWrite(tx, staging, tool, write);
    return { outcome, changes, why: outcome.ok ? drift(write.changes, changes) : outcome.text };
  };
  return inSavepoint(tx, again, ({ why }) => why === null);
}

/** As it would be now, with the ids it had: what was approved on top of it may still be done after it. */
async function stageAgain(tx: Tx, staging: Staging, tool: WriteTool<unknown>, old: StagedWrite, note: string) {
  const { run } = staging;
  const place = { iteration: run.state.iteration, entryKey: `replay:${old.id}` };
  const { branchId, seed, args, why } = old;
  const wanted = { ...place, branchId, seed, args };
  const { outcome, changes } = await tryOver(tx, staging, tool, wanted);
  if (!outcome.ok || changes.length === 0) return false;
  const write = { ...wanted, id: idOf(run, place.entryKey), tool: tool.name, why, note, changes };
  return (await asPlatform(tx, (platform) => saveStaged(platform, run.id, write))).outcome === "staged";
}

/** At the end of an iteration: the question about everything that waits, or null where nothing does. */
export function askAboutStaged({ run, journal }: Pick<Staging, "run" | "journal">): Promise<Question | null> {
  return journal.write("approval", async (tx) => {
    const [first, ...rest] = await openWrites(tx, run.id, "pending");
    const question = first ? approvalQuestion([first, ...rest], run.timeZone) : null;
    return toNote(question, `${first ? rest.length + 1 : 0} changes wait for approval`);
  });
}
