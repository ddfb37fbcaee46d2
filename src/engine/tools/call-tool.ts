// One tool call, whichever session wants it: is there such a tool, do the arguments fit, may it be called now, and then done
// through the journal. Whatever comes of it is an entry and an answer for the model; nothing here throws for its mistakes.

import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import { sqlState } from "../../db/errors.ts";
import { keyFields, shortenDeep } from "../../domain/planner/clip.ts";
import type { CallLine } from "../../domain/planner/view.ts";
import { mayFollow } from "../../domain/policy/egress.ts";
import { judgeCall } from "../../domain/policy/judge-call.ts";
import { AppError } from "../../lib/app-error.ts";
import { unreachable } from "../../lib/assert.ts";
import { repairPrompt } from "../../prompts/repair-prompt.ts";
import { isOwnWords, resultText } from "../../prompts/result-text.ts";
import type { EntryHead, Lane } from "../../runs/ports/run-store.ts";
import { argsSchema } from "../../tools/args-schema.ts";
import { attemptWrite } from "../../tools/define-tool.ts";
import { parseArgs } from "../../tools/parse-args.ts";
import { noteSightings, type ReadOnlyThings, type ThingsRead } from "../../tools/things-read.ts";
import { refuse, type Tool, type ToolContext, type ToolOutcome, type WriteTool } from "../../tools/tool.ts";
import { askObject } from "../ask.ts";
import { type Refusal, type ToolHost, toEgress, type WantedTool } from "./tool-host.ts";

/** Who calls: a chat, the planner or one of its executors. */
export type Caller = {
  readonly lane: Lane;
  readonly branchId: string | null;
  /** Names it may call; null: every tool the run may use. */
  readonly only: readonly string[] | null;
  /** By tool: calls in a row whose arguments did not fit. */
  readonly unfit: Map<string, number>;
  /** What its session has read, in the order of its calls. */
  readonly thingsRead: ThingsRead;
};

/** A session that begins: it has read nothing. */
export const newCaller = (of: Pick<Caller, "lane" | "branchId" | "only">): Caller => ({
  ...of,
  unfit: new Map(),
  thingsRead: new Map(),
});

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

export async function callTool(host: ToolHost, caller: Caller, wanted: WantedCall): Promise<CalledTool> {
  const { allowedTools } = host;
  const found = host.registry.find(wanted.tool);
  const head = (tool: string, args: unknown) => headOf(caller.lane, wanted.key, tool, args);
  const turnDown = async (why: ToolOutcome, isMiss: boolean, kind: Tool["kind"] | null = null): Promise<CalledTool> => {
    const outcome = await keepRefusal(host, head(wanted.tool, wanted.args), { outcome: why, grant: null });
    // The schema of a tool outside is its server's.
    return { ...toCalled(host, wanted, wanted.args, outcome), isMiss, kind, isOwnWords: kind !== "outside" };
  };
  if (!found.ok) {
    host.noticed.missedTools.add(wanted.tool);
    return turnDown(refuse("unavailable", found.text), true);
  }
  const { tool } = found;
  if (allowedTools !== null && !allowedTools.includes(tool.name))
    return turnDown(refuse("denied", `This run may not use "${tool.name}".`), false, tool.kind);
  if (caller.only !== null && !caller.only.includes(tool.name))
    return turnDown(refuse("denied", `"${tool.name}" is not among the tools you were given.`), false, tool.kind);
  const fitting = await fitArgs(host, caller, tool, wanted);
  if (!fitting.ok) return turnDown(refuse("invalid_arguments", fitting.text), fitting.isMiss, tool.kind);
  const args = labelArgs(host, tool, fitting.args);
  const outcome =
    recallCall(host, wanted.key) ?? (await carryOut(host, { tool, args, head: head(tool.name, args), ...caller }));
  notice(host, caller, tool, outcome);
  return {
    ...toCalled(host, wanted, args, outcome),
    isMiss: false,
    kind: tool.kind,
    isOwnWords: outcome.ok && isOwnWords(tool) && outcome.showsText !== true,
  };
}

/** Texts of an entry are the beginnings; the result keeps the whole. */
const argTextMax = 2_000;

export const headOf = (lane: Lane, key: string, tool: string, args: unknown): EntryHead => ({
  key,
  lane,
  tool: tool.slice(0, 80),
  args: shortenDeep(args, argTextMax),
});

/** Journaled, so that another attempt is refused the same, asks the same, and pages show it. */
async function keepRefusal(host: ToolHost, head: EntryHead, { outcome, grant }: Refusal): Promise<ToolOutcome> {
  await host.journal.once(head, async () => {
    const written = toKept(head.tool ?? "", outcome);
    return { ...written, result: { ...written.result, grant } };
  });
  return recallCall(host, head.key) ?? outcome;
}

type KeptCall = { readonly tool: string; readonly outcome: ToolOutcome; readonly grant?: Refusal["grant"] };

/** What came of it in an attempt before this one: policy and mode are not asked again. */
function recallCall(host: ToolHost, key: string): ToolOutcome | null {
  const kept = host.journal.recall<KeptCall>(key);
  if (kept === null) return null;
  const { outcome, grant } = kept.result;
  if (grant) host.noticed.grants.set(grant.approval, grant.question);
  return outcome;
}

type Fitting =
  | { readonly ok: true; readonly args: unknown }
  | { readonly ok: false; readonly text: string; readonly isMiss: boolean };

/** The model mends its own arguments first; the repair model is asked when the same tool fails twice in a row. */
async function fitArgs(host: ToolHost, { unfit }: Caller, tool: Tool, { key, args }: WantedCall): Promise<Fitting> {
  const parsed = parseArgs(tool, args);
  if (parsed.ok) {
    unfit.delete(tool.name);
    return parsed;
  }
  const times = (unfit.get(tool.name) ?? 0) + 1;
  unfit.set(tool.name, times);
  if (times === 1) return { ...parsed, isMiss: false };
  const repaired = await repairArgs(host, `${key}/repair`, tool, args, parsed.text);
  const again = repaired === null ? parsed : parseArgs(tool, repaired);
  return again.ok ? again : { ...again, isMiss: true };
}

const anyArgs = z.record(z.string(), z.unknown());
const repairTokensMax = 2_000;

/** Has arguments corrected by a small model, which sees them, the error and the schema. Null: it gave nothing to try. */
async function repairArgs(host: ToolHost, key: string, tool: Tool, args: unknown, error: string): Promise<unknown> {
  const view = { tool: tool.name, args, error, schema: argsSchema(tool) };
  const { system, message } = repairPrompt(view, host.nonce);
  const request = {
    role: "repair",
    system,
    messages: [{ role: "user", text: message }],
    tools: [],
    format: "json",
    maxOutputTokens: repairTokensMax,
    cacheKey: `${host.cacheKey}/repair`,
    view,
  } as const;
  const repaired = await askObject(host, key, request, anyArgs);
  return repaired.ok ? repaired.value : null;
}

/** Once text of strangers has been read, whatever is written may hold it; the model's word that it does not counts for nothing. */
function labelArgs({ noticed }: ToolHost, tool: Tool, args: unknown): unknown {
  const isLabelled = typeof args === "object" && args !== null && "source" in args;
  return tool.kind === "write" && noticed.hasReadUntrusted && isLabelled ? { ...args, source: "web" } : args;
}

/** What the policy says; null: it may be done. */
function findRefusal(host: ToolHost, { tool, args, head }: FitCall): Refusal | null {
  const { name, kind, tags } = tool;
  const outside =
    kind === "outside" ? { isRepeatable: tool.isRepeatable, destination: tool.destination(args) } : inside;
  const verdict = judgeCall({ name, kind, tags, ...outside }, host.changeRule, toEgress(host));
  switch (verdict.kind) {
    case "allowed":
      return null;
    case "refused":
      return { outcome: refuse("denied", verdict.why), grant: null };
    case "needs_user":
      return host.askFirst(head, { tool, args }, verdict);
    default:
      return unreachable(verdict);
  }
}

const inside = { isRepeatable: false, destination: null } as const;

/** What was read stays read, whichever session read it. */
function notice(host: ToolHost, { thingsRead }: Caller, { tags }: Tool, outcome: ToolOutcome): void {
  noteSightings(thingsRead, outcome.seen ?? []);
  if ((outcome.ok && tags.includes("private")) || outcome.showsText) host.noticed.hasReadPrivate = true;
  if (!outcome.isUntrusted) return;
  host.noticed.hasReadUntrusted = true;
  for (const url of outcome.ok ? (outcome.foundUrls ?? []) : []) host.noticed.searchUrls.add(url);
}

/** A call whose arguments fit. */
type FitCall = WantedTool & {
  readonly head: EntryHead;
  readonly branchId: string | null;
  readonly thingsRead?: ReadOnlyThings;
};

async function carryOut(host: ToolHost, call: FitCall): Promise<ToolOutcome> {
  const { head } = call;
  const refusal = findRefusal(host, call);
  if (refusal?.isWaiting) return refusal.outcome;
  if (refusal !== null) return keepRefusal(host, head, refusal);
  try {
    return await act(host, call);
  } catch (thrown) {
    return keepRefusal(host, head, { outcome: toOutcome(thrown), grant: null });
  }
}

/** Does what the policy or the user has allowed. */
export async function act(host: ToolHost, { tool, args, head, branchId, thingsRead }: FitCall): Promise<ToolOutcome> {
  const { journal, db, identity, staging } = host;
  const context = { ...host.contextFor(head.key, branchId), ...(thingsRead && { thingsRead }) };
  switch (tool.kind) {
    case "read": {
      const read = (tx: Tx) => tool.read(tx, context, args);
      const over = (tx: Tx) => (staging === null ? read(tx) : staging.readOver(tx, () => read(tx)));
      const work = async () => toKept(tool.name, await db.asUser(identity, over));
      return (await journal.once(head, work)).outcome;
    }
    case "write": {
      if (staging !== null) return staging.stage(head, { tool, args }, context);
      return (await journal.write(head, async (tx) => toKept(tool.name, await tool.write(tx, context, args)))).outcome;
    }
    case "outside": {
      const asked = tool.destination(args);
      const follow = (url: string) => asked === null || mayFollow(asked, url, toEgress(host));
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

const summaryMax = 300;

const tellOutcome = (outcome: ToolOutcome) =>
  outcome.ok
    ? { did: outcome.summary, error: null }
    : { did: outcome.text.split("\n", 1)[0]?.slice(0, summaryMax) ?? "", error: outcome.text.slice(0, 2_000) };

/** How the journal keeps it; `read_result` opens the same. */
export function toKept(tool: string, outcome: ToolOutcome) {
  const { did, error } = tellOutcome(outcome);
  return { result: { tool, outcome }, summary: did, error, artifacts: outcome.ok ? outcome.artifacts : [] };
}

/** What the database or a store refused is an answer; that the database is gone, or the lease, is not. */
export function toOutcome(thrown: unknown): ToolOutcome {
  const state = sqlState(thrown);
  if (state === "HW014" || state === "42501")
    return refuse("denied", "That is outside of what may be written to here.");
  if (thrown instanceof AppError && thrown.code !== "database_unavailable") return refuse("failed", thrown.message);
  if (state !== null && /^(22|23|HW)/.test(state)) return refuse("failed", `The database refused it (${state}).`);
  throw thrown;
}

/** Tries a write: what stops it is an answer, and afterwards the transaction is as if it had not been tried. */
export const attemptTool = (tx: Tx, tool: WriteTool<unknown>, context: ToolContext, args: unknown) =>
  attemptWrite(tx, () => tool.write(tx, context, args)).catch(toOutcome);

function toCalled(host: ToolHost, { key, tool }: WantedCall, args: unknown, outcome: ToolOutcome) {
  const { did } = tellOutcome(outcome);
  const ref = host.refOf(key);
  const line = { ref, tool, args: keyFields(args, 200), ok: outcome.ok, said: did, length: outcome.text.length };
  return { outcome, line, args };
}

/** What the session reads of a result. */
export const replyText = (nonce: string, { outcome, line, isOwnWords }: CalledTool): string =>
  resultText(
    { tool: line.tool, ref: line.ref, text: outcome.text, isUntrusted: outcome.isUntrusted === true, isOwnWords },
    nonce,
  );
