// One tool call, whichever session wants it: is there such a tool, do the arguments fit, may it be called now, and then done
// through the journal. Whatever comes of it is an entry and an answer for the model; nothing here throws for its mistakes.

import type { Tx } from "../../db/database.ts";
import { sqlState } from "../../db/errors.ts";
import { keyFields, shortenDeep } from "../../domain/planner/clip.ts";
import type { CallLine } from "../../domain/planner/view.ts";
import { type EgressDecision, type EgressState, mayCall, mayFollow } from "../../domain/policy/egress.ts";
import { fenced } from "../../domain/policy/fence-text.ts";
import { AppError } from "../../lib/app-error.ts";
import { unreachable } from "../../lib/assert.ts";
import type { EntryHead, Lane } from "../../runs/ports.ts";
import { sliceText } from "../../tools/bounds.ts";
import { parseArgs } from "../../tools/parse-args.ts";
import { refuse, type Tool, type ToolContext, type ToolOutcome } from "../../tools/tool.ts";
import { Held } from "../ask.ts";
import type { Iteration } from "../planner/iteration.ts";
import { openWorkspaceTool } from "./open-workspace-tool.ts";
import { repairArgs } from "./repair-args.ts";
import { overStagedWrites, type Staging, stageToolWrite } from "./staging.ts";
import { stepIds } from "./step-ids.ts";

/** Who calls: the planner or one of its executors. */
export type Caller = {
  readonly lane: Lane;
  readonly branchId: string | null;
  /** Names it may call; null: every tool the run may use. */
  readonly only: readonly string[] | null;
  /** By tool: calls in a row whose arguments did not fit. */
  readonly unfit: Map<string, number>;
};

export type WantedCall = { readonly key: string; readonly tool: string; readonly args: unknown };

export type CalledTool = {
  readonly outcome: ToolOutcome;
  readonly line: CallLine;
  /** A tool that is missing, or arguments that could not be mended. */
  readonly isMiss: boolean;
  /** As it was carried out. */
  readonly args: unknown;
  readonly kind: Tool["kind"] | null;
  /** The answer is the platform's own sentence: it shows nothing that was read. */
  readonly isOwnWords: boolean;
};

export async function callTool(it: Iteration, caller: Caller, wanted: WantedCall): Promise<CalledTool> {
  const { allowedTools } = it.run.permission;
  const found = it.registry.find(wanted.tool);
  const head = (tool: string, args: unknown) => headOf(caller.lane, wanted.key, tool, args);
  const turnDown = async (why: ToolOutcome, isMiss: boolean, kind: Tool["kind"] | null = null): Promise<CalledTool> => {
    const outcome = await keepRefusal(it, head(wanted.tool, wanted.args), { outcome: why, grant: null });
    return { ...toCalled(it, wanted, wanted.args, outcome), isMiss, kind, isOwnWords: true };
  };
  if (!found.ok) {
    it.noticed.missedTools.add(wanted.tool);
    return turnDown(refuse("unavailable", found.text), true);
  }
  const { tool } = found;
  if (allowedTools !== null && !allowedTools.includes(tool.name))
    return turnDown(refuse("denied", `This run may not use "${tool.name}".`), false, tool.kind);
  if (caller.only !== null && !caller.only.includes(tool.name))
    return turnDown(refuse("denied", `"${tool.name}" is not among the tools you were given.`), false, tool.kind);
  const fitting = await fitArgs(it, caller, tool, wanted);
  if (!fitting.ok) return turnDown(refuse("invalid_arguments", fitting.text), fitting.isMiss, tool.kind);
  const args = labelArgs(it, tool, fitting.args);
  const outcome =
    recallCall(it, wanted.key) ?? (await carryOut(it, tool, args, head(tool.name, args), caller.branchId));
  notice(it, outcome);
  const isOwnWords = tool.kind === "write" && tool.name !== "edit_document";
  return { ...toCalled(it, wanted, args, outcome), isMiss: false, kind: tool.kind, isOwnWords };
}

/** Texts of an entry are the beginnings; the result keeps the whole. */
const argTextMax = 2_000;

export const headOf = (lane: Lane, key: string, tool: string, args: unknown): EntryHead => ({
  key,
  lane,
  tool: tool.slice(0, 80),
  args: shortenDeep(args, argTextMax),
});

/** Why a call is not made; `grant`: what the user is asked for it, and what a yes would allow. */
type Refusal = {
  readonly outcome: ToolOutcome;
  readonly grant: { readonly approval: string; readonly question: string } | null;
};

/** Journaled, so that another attempt is refused the same, asks the same, and pages show it. */
async function keepRefusal(it: Iteration, head: EntryHead, { outcome, grant }: Refusal): Promise<ToolOutcome> {
  await it.journal.once(head, async () => {
    const written = toKept(head.tool ?? "", outcome);
    return { ...written, result: { ...written.result, grant } };
  });
  return recallCall(it, head.key) ?? outcome;
}

type KeptCall = { readonly tool: string; readonly outcome: ToolOutcome; readonly grant?: Refusal["grant"] };

/** What came of it in an attempt before this one: policy and mode are not asked again. */
function recallCall(it: Iteration, key: string): ToolOutcome | null {
  const kept = it.journal.recall<KeptCall>(key);
  if (kept === null) return null;
  const { outcome, grant } = kept.result;
  if (grant) it.noticed.grants.set(grant.approval, grant.question);
  return outcome;
}

type Fitting =
  | { readonly ok: true; readonly args: unknown }
  | { readonly ok: false; readonly text: string; readonly isMiss: boolean };

/** The model mends its own arguments first; the repair model is asked when the same tool fails twice in a row. */
async function fitArgs(it: Iteration, { unfit }: Caller, tool: Tool, { key, args }: WantedCall): Promise<Fitting> {
  const parsed = parseArgs(tool, args);
  if (parsed.ok) {
    unfit.delete(tool.name);
    return parsed;
  }
  const times = (unfit.get(tool.name) ?? 0) + 1;
  unfit.set(tool.name, times);
  if (times === 1) return { ...parsed, isMiss: false };
  const repaired = await repairArgs(it, `${key}/repair`, tool, args, parsed.text);
  const again = repaired === null ? parsed : parseArgs(tool, repaired);
  return again.ok ? again : { ...again, isMiss: true };
}

/** Once text of strangers has been read, whatever is written may hold it; the model's word that it does not counts for nothing. */
function labelArgs({ noticed }: Iteration, tool: Tool, args: unknown): unknown {
  const isLabelled = typeof args === "object" && args !== null && "source" in args;
  return tool.kind === "write" && noticed.hasReadUntrusted && isLabelled ? { ...args, source: "web" } : args;
}

/** What the mode and the policy say; null: it may be done. */
function findRefusal(it: Iteration, tool: Tool, args: unknown): Refusal | null {
  const isChange = tool.kind === "write" || (tool.kind === "outside" && !tool.isRepeatable);
  if (it.phase === "plan_only" && isChange)
    return plainly("Nothing is changed before the user has approved the plan. Propose it, and end the iteration.");
  if (tool.kind !== "outside") return null;
  const { memory } = it;
  const destination = tool.destination(args);
  const verdict = mayCall(tool.tags, destination, egressOf(it));
  if (verdict.kind === "needs_user") return askFirst(verdict);
  // What cannot be staged is asked for beforehand, by its name.
  const isUnasked = destination === null || !memory.approvedDestinations.includes(destination);
  return it.run.permission.writeMode === "per_write" && isChange && isUnasked
    ? askFirst(unstaged(tool.name, destination))
    : null;
}

const plainly = (why: string): Refusal => ({ outcome: refuse("denied", why), grant: null });

const egressOf = ({ memory, noticed }: Iteration): EgressState => ({
  hasReadUntrusted: noticed.hasReadUntrusted,
  hasSeenPrivate: true, // It knows the objective, and can read the user's things at any time.
  userUrls: [...memory.userUrls, ...noticed.userUrls],
  searchUrls: [...noticed.searchUrls],
  approvedDestinations: memory.approvedDestinations,
});

type NeedsUser = Pick<Extract<EgressDecision, { kind: "needs_user" }>, "why" | "question" | "approval">;

const unstaged = (name: string, approval: string | null): NeedsUser => ({
  why: `every change is asked for first, and what ${name} does cannot be taken back.`,
  question: `May this run use ${name}? It acts outside of Homework, as often as the run wants, and cannot be undone.`,
  approval,
});

function askFirst({ why, question, approval }: NeedsUser): Refusal {
  if (approval === null) return plainly(why);
  return { outcome: refuse("denied", `${why} The user will be asked.`), grant: { approval, question } };
}

/** In an iteration, what was read stays read, whichever session read it. */
function notice(it: Iteration, outcome: ToolOutcome): void {
  if (!outcome.isUntrusted) return;
  it.noticed.hasReadUntrusted = true;
  for (const url of outcome.ok ? (outcome.foundUrls ?? []) : []) it.noticed.searchUrls.add(url);
}

async function carryOut(
  it: Iteration,
  tool: Tool,
  args: unknown,
  head: EntryHead,
  branchId: string | null,
): Promise<ToolOutcome> {
  const refusal = findRefusal(it, tool, args);
  if (refusal !== null) return keepRefusal(it, head, refusal);
  try {
    return await act(it, tool, args, head, branchId);
  } catch (thrown) {
    if (thrown instanceof Held) throw thrown;
    return keepRefusal(it, head, { outcome: toOutcome(thrown), grant: null });
  }
}

async function act(
  it: Iteration,
  tool: Tool,
  args: unknown,
  head: EntryHead,
  branchId: string | null,
): Promise<ToolOutcome> {
  const { journal, db, run } = it;
  const context = contextFor(it, head.key, branchId);
  const identity = { userId: run.userId, runId: run.id };
  const isStaging = run.permission.writeMode === "per_write";
  switch (tool.kind) {
    case "read": {
      const read = (tx: Tx) => tool.read(tx, context, args);
      const work = async () =>
        toKept(
          tool.name,
          await db.asUser(identity, (tx) =>
            isStaging ? overStagedWrites(tx, stagingOf(it), () => read(tx)) : read(tx),
          ),
        );
      return (await journal.once(head, work)).outcome;
    }
    case "write": {
      if (isStaging) return stageToolWrite({ ...stagingOf(it), context, tool, args, key: head.key, head });
      return (await journal.write(head, async (tx) => toKept(tool.name, await tool.write(tx, context, args)))).outcome;
    }
    case "outside": {
      const asked = tool.destination(args);
      const follow = (url: string) => asked === null || mayFollow(asked, url, egressOf(it));
      const work = async (idempotencyKey: string) => ({
        tool: tool.name,
        outcome: await tool.act(context, args, { idempotencyKey, signal: journal.signal, mayFollow: follow }),
      });
      const result = await journal.effect(head, tool.isRepeatable, work, ({ outcome }) => tellOutcome(outcome));
      return result.kind === "done" ? result.result.outcome : uncertain;
    }
    default:
      return unreachable(tool);
  }
}

const uncertain = refuse(
  "unavailable",
  "It is not known whether this happened: the program ended in the middle of it. Find out before you do it again.",
);

export const stagingOf = (it: Iteration): Staging => ({
  run: it.run,
  journal: it.journal,
  registry: {
    find: (name) => {
      const own = openWorkspaceTool(it.run);
      return name === own.name ? { ok: true, tool: own } : it.registry.find(name);
    },
  },
  context: contextFor(it, "staging", null),
});

export function contextFor(it: Iteration, key: string, branchId: string | null): ToolContext {
  const { run, projectIds, workspace } = it;
  return {
    userId: run.userId,
    runId: run.id,
    iteration: run.state.iteration,
    branchId,
    projectIds,
    workspace,
    timeZone: run.timeZone,
    newId: stepIds(run.id, run.state.iteration, key),
  };
}

const summaryMax = 300;

const tellOutcome = (outcome: ToolOutcome) =>
  outcome.ok
    ? { did: outcome.summary, error: null }
    : { did: outcome.text.split("\n", 1)[0]?.slice(0, summaryMax) ?? "", error: outcome.text.slice(0, 2_000) };

/** How the journal keeps it; `read_result` opens the same. */
function toKept(tool: string, outcome: ToolOutcome) {
  const { did, error } = tellOutcome(outcome);
  return { result: { tool, outcome }, summary: did, error, artifacts: outcome.ok ? outcome.artifacts : [] };
}

/** What the database or a store refused is an answer; that the database is gone, or the claim, is not. */
function toOutcome(thrown: unknown): ToolOutcome {
  const state = sqlState(thrown);
  if (state === "HW014" || state === "42501") return refuse("denied", "That is outside of what this run may write to.");
  if (thrown instanceof AppError && thrown.code !== "database_unavailable") return refuse("failed", thrown.message);
  if (state !== null && /^(22|23|HW)/.test(state)) return refuse("failed", `The database refused it (${state}).`);
  throw thrown;
}

function toCalled(it: Iteration, { key, tool }: WantedCall, args: unknown, outcome: ToolOutcome) {
  const { did } = tellOutcome(outcome);
  const ref = `i${it.run.state.iteration}/${key}`;
  const line = { ref, tool, args: keyFields(args, 200), ok: outcome.ok, said: did, length: outcome.text.length };
  return { outcome, line, args };
}

/** Characters of a result that a session sees at once; tools that show pages keep below it with their headings. */
const replyMax = 8_500;
const replyPage = 8_000;

type Replied = Pick<CalledTool, "outcome" | "line" | "isOwnWords">;

/** What the session reads of a result: all of it, or its beginning and how to go on. */
export function replyText(nonce: string, { outcome, line, isOwnWords }: Replied): string {
  if (isOwnWords && outcome.text.length <= replyMax) return outcome.text;
  const label = outcome.isUntrusted ? `result of ${line.tool}, text of strangers` : `result of ${line.tool}`;
  if (outcome.text.length <= replyMax) return fenced(label, outcome.text, nonce);
  const { shown, next } = sliceText(outcome.text, 0, replyPage);
  const rest = `[Characters 0 to ${next} of ${outcome.text.length}. To read on: read_result with ref "${line.ref}" and offset ${next}]`;
  return `${fenced(label, shown, nonce)}\n${rest}`;
}
