// One tool call, whoever wants it: is there such a tool, do the arguments fit (if not, they are repaired), may it be called
// now, and then done through the journal. What comes back is an answer for the model; nothing here throws for its mistakes.

import type { Tx } from "../db/database.ts";
import { sqlState } from "../db/errors.ts";
import { clip, keyFields } from "../domain/planner/clip.ts";
import type { ToolResultLine } from "../domain/planner/view.ts";
import { type EgressDecision, type EgressState, mayCall, mayFollow } from "../domain/policy/egress.ts";
import { AppError } from "../lib/app-error.ts";
import { unreachable } from "../lib/assert.ts";
import { parseArgs } from "../tools/parse-args.ts";
import { refuse, type Tool, type ToolContext, type ToolOutcome } from "../tools/tool.ts";
import { Held } from "./ask.ts";
import type { Iteration } from "./iteration.ts";
import { openWorkspaceTool } from "./open-workspace-tool.ts";
import { repairArgs } from "./repair-args.ts";
import { overStagedWrites, type Staging, stageToolWrite } from "./staging.ts";
import { stepIds } from "./step-ids.ts";

export type WantedCall = {
  /** The step's key: the same whichever attempt asks. */
  readonly key: string;
  readonly tool: string;
  readonly args: unknown;
  readonly why: string;
  readonly branchId: string | null;
};

export type CalledTool = {
  readonly outcome: ToolOutcome;
  readonly line: ToolResultLine;
  readonly isMiss: boolean;
};

/** How much of a result the planner sees; executors see more of their own. */
const snippetMax = 600;

export async function callTool(it: Iteration, wanted: WantedCall): Promise<CalledTool> {
  const { allowedTools } = it.run.permission;
  const found = it.registry.find(wanted.tool);
  if (!found.ok) return missed(it, wanted, found.text);
  const { tool } = found;
  if (allowedTools !== null && !allowedTools.includes(tool.name))
    return called(it, wanted, wanted.args, refuse("denied", `This run may not use "${tool.name}".`), false);
  const fitting = await fitArgs(it, tool, wanted);
  if (!fitting.ok) return called(it, wanted, wanted.args, refuse("invalid_arguments", fitting.text), true);
  const args = labelled(it, tool, fitting.args);
  const outcome = refusal(it, tool, args) ?? (await carryOut(it, tool, args, wanted));
  notice(it, outcome);
  return called(it, wanted, args, outcome, false);
}

function missed(it: Iteration, wanted: WantedCall, text: string): CalledTool {
  it.noticed.missedTools.add(wanted.tool);
  return called(it, wanted, wanted.args, refuse("unavailable", text), true);
}

type Fitting = { readonly ok: true; readonly args: unknown } | { readonly ok: false; readonly text: string };

/** As they are, or as the repair model corrects them, at most twice. */
const repairsMax = 2;

async function fitArgs(it: Iteration, tool: Tool, { key, args }: WantedCall): Promise<Fitting> {
  let tried = args;
  let parsed = parseArgs(tool, tried);
  for (let n = 1; n <= repairsMax && !parsed.ok; n++) {
    const repaired = await repairArgs(it, `${key}/repair:${n}`, tool, tried, parsed.text);
    if (repaired === null) break;
    tried = repaired;
    parsed = parseArgs(tool, tried);
  }
  return parsed;
}

/** Once text of strangers has been read, whatever is written may hold it; the model's word that it does not counts for nothing. */
function labelled({ noticed }: Iteration, tool: Tool, args: unknown): unknown {
  const isLabelled = typeof args === "object" && args !== null && "source" in args;
  return tool.kind === "write" && noticed.hasReadUntrusted && isLabelled ? { ...args, source: "web" } : args;
}

/** What the mode and the policy say; null: it may be done. */
function refusal(it: Iteration, tool: Tool, args: unknown): ToolOutcome | null {
  const isChange = tool.kind === "write" || (tool.kind === "outside" && !tool.isRepeatable);
  if (it.phase === "plan_only" && isChange)
    return refuse("denied", "Nothing is changed before the user has approved the plan. Propose it, and wait.");
  if (tool.kind !== "outside") return null;
  const { memory } = it;
  const destination = tool.destination(args);
  const verdict = mayCall(tool.tags, destination, egressOf(it));
  if (verdict.kind === "needs_user") return askFirst(it, verdict);
  // What cannot be staged is asked for beforehand, by its name.
  const isUnasked = destination === null || !memory.approvedDestinations.includes(destination);
  return it.run.permission.writeMode === "per_write" && isChange && isUnasked
    ? askFirst(it, unstaged(tool.name, destination))
    : null;
}

const egressOf = ({ memory, noticed }: Iteration): EgressState => ({
  hasReadUntrusted: noticed.hasReadUntrusted,
  hasSeenPrivate: true, // It knows the objective, and can read the user's things at any time.
  userUrls: memory.userUrls,
  searchUrls: [...noticed.searchUrls],
  approvedDestinations: memory.approvedDestinations,
});

type NeedsUser = Pick<Extract<EgressDecision, { kind: "needs_user" }>, "why" | "question" | "approval">;

const unstaged = (name: string, approval: string | null): NeedsUser => ({
  why: `every change is asked for first, and what ${name} does cannot be taken back.`,
  question: `May this run use ${name}? It acts outside of Homework, as often as the run wants, and cannot be undone.`,
  approval,
});

function askFirst({ noticed }: Iteration, { why, question, approval }: NeedsUser): ToolOutcome {
  if (approval === null) return refuse("denied", why);
  noticed.grants.set(approval, question);
  return refuse("denied", `${why} The user will be asked.`);
}

/** In an iteration, what was read stays read, whoever read it. */
function notice(it: Iteration, outcome: ToolOutcome): void {
  if (!outcome.isUntrusted) return;
  it.noticed.hasReadUntrusted = true;
  for (const url of outcome.ok ? (outcome.foundUrls ?? []) : []) it.noticed.searchUrls.add(url);
}

async function carryOut(it: Iteration, tool: Tool, args: unknown, wanted: WantedCall): Promise<ToolOutcome> {
  try {
    return await done(it, tool, args, wanted);
  } catch (thrown) {
    if (thrown instanceof Held) throw thrown;
    return toOutcome(thrown);
  }
}

async function done(it: Iteration, tool: Tool, args: unknown, wanted: WantedCall): Promise<ToolOutcome> {
  const { journal, db, run } = it;
  const { key } = wanted;
  const context = contextFor(it, key, wanted.branchId);
  const identity = { userId: run.userId, runId: run.id };
  switch (tool.kind) {
    case "read": {
      const read = (tx: Tx) => tool.read(tx, context, args);
      const isStaging = run.permission.writeMode === "per_write";
      const work = async () =>
        kept(
          tool,
          await db.asUser(identity, (tx) =>
            isStaging ? overStagedWrites(tx, stagingOf(it), () => read(tx)) : read(tx),
          ),
        );
      return (await journal.once(key, work)).outcome;
    }
    case "write": {
      if (run.permission.writeMode === "per_write")
        return stageToolWrite({ ...stagingOf(it), context, tool, args, key, why: wanted.why });
      return (await journal.write(key, async (tx) => kept(tool, await tool.write(tx, context, args)))).outcome;
    }
    case "outside": {
      const asked = tool.destination(args);
      const follow = (url: string) => asked === null || mayFollow(asked, url, egressOf(it));
      const act = async (idempotencyKey: string) => ({
        tool: tool.name,
        outcome: await tool.act(context, args, { idempotencyKey, signal: journal.signal, mayFollow: follow }),
      });
      const result = await journal.effect(key, tool.isRepeatable, act);
      return result.kind === "done" ? result.result.outcome : uncertain;
    }
    default:
      return unreachable(tool);
  }
}

const uncertain = refuse(
  "unavailable",
  "Nobody knows whether this happened: the program ended in the middle of it. Find out before you do it again.",
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
    newId: stepIds(run.id, run.state.iteration, key),
  };
}

/** How the journal keeps it; `read_result` opens the same. */
function kept(tool: Tool, outcome: ToolOutcome) {
  return {
    result: { tool: tool.name, outcome },
    summary: `${tool.name}: ${outcome.ok ? outcome.summary : outcome.text.slice(0, 200)}`,
    artifacts: outcome.ok ? outcome.artifacts : [],
  };
}

/** What the database or a store refused is an answer; that the database is gone, or the claim, is not. */
function toOutcome(thrown: unknown): ToolOutcome {
  const state = sqlState(thrown);
  if (state === "HW014" || state === "42501") return refuse("denied", "That is outside of what this run may write to.");
  if (thrown instanceof AppError && thrown.code !== "database_unavailable") return refuse("failed", thrown.message);
  if (state !== null && /^(22|23|HW)/.test(state)) return refuse("failed", `The database refused it (${state}).`);
  throw thrown;
}

function called(
  it: Iteration,
  { key, tool }: WantedCall,
  args: unknown,
  outcome: ToolOutcome,
  isMiss: boolean,
): CalledTool {
  const line: ToolResultLine = {
    ref: `i${it.run.state.iteration}/${key}`,
    tool,
    args: keyFields(args, 200),
    ok: outcome.ok,
    snippet: clip(outcome.text, snippetMax),
    isUntrusted: outcome.isUntrusted ?? false,
  };
  return { outcome, line, isMiss };
}
