// What all tools on our own database have in common: a failure the model can react to becomes a refusal, what a refused
// write has written is taken back, and no answer is longer than a model can read. Bugs and a database that is away are
// thrown on.

import type { Tx } from "../db/database.ts";
import { sqlState } from "../db/errors.ts";
import { inSavepoint } from "../db/savepoint.ts";
import { AppError, type ErrorCode } from "../lib/app-error.ts";
import { bounds, cut } from "./bounds.ts";
import {
  type ReadTool,
  readTool,
  refuse,
  type Tool,
  type ToolFailure,
  type ToolOutcome,
  type ToolRefusal,
  type WriteTool,
  writeTool,
} from "./tool.ts";

/** Reads show what is private to the user, and a write takes nothing away, unless a tool says otherwise. */
type Untagged<T extends { readonly tags: unknown }> = Omit<T, "kind" | "tags"> & Partial<Pick<T, "tags">>;

export const defineRead = <Args>(tool: Untagged<ReadTool<Args>>): Tool =>
  readTool<Args>({
    tags: ["private"],
    ...tool,
    read: (tx, context, args) => settle(() => tool.read(tx, context, args)),
  });

export const defineWrite = <Args>(tool: Untagged<WriteTool<Args>>): Tool =>
  writeTool<Args>({
    tags: [],
    ...tool,
    write: (tx, context, args) => attemptWrite(tx, () => tool.write(tx, context, args)),
  });

/** Whatever stops it, the transaction can go on as if it had not been tried. */
export const attemptWrite = (tx: Tx, work: () => Promise<ToolOutcome>): Promise<ToolOutcome> =>
  settle(() => inSavepoint(tx, work, ({ ok }) => ok));

async function settle(work: () => Promise<ToolOutcome>): Promise<ToolOutcome> {
  try {
    return bound(await work());
  } catch (thrown) {
    const refusal = toRefusal(thrown);
    if (refusal === null) throw thrown;
    return refusal;
  }
}

/** Each tool keeps to its own sizes; this is for the one that does not. */
function bound(outcome: ToolOutcome): ToolOutcome {
  const text = cut(outcome.text, bounds.text);
  return outcome.ok ? { ...outcome, text, summary: cut(outcome.summary, bounds.summary) } : { ...outcome, text };
}

const failureOf: Partial<Record<ErrorCode, ToolFailure>> = {
  invalid_request: "invalid_arguments",
  invalid_cursor: "invalid_arguments",
  not_found: "not_found",
  forbidden: "denied",
  stale_version: "conflict",
  already_exists: "conflict",
  document_cycle: "conflict",
  deleted: "conflict",
};

/** Row level security, and the trigger that keeps a run's writes in its scope (migration 0034). */
const deniedStates: readonly string[] = ["42501", "HW014"];
/** Values the tables do not take: out of range, against a constraint, too long for an index. */
const unfitValues = /^(22|23|54)/;

function toRefusal(thrown: unknown): ToolRefusal | null {
  if (thrown instanceof AppError) {
    const code = failureOf[thrown.code];
    return code === undefined ? null : refuse(code, `${thrown.message}.`);
  }
  const state = sqlState(thrown);
  if (state === null) return null;
  if (deniedStates.includes(state))
    return refuse("denied", "That is outside of what may be written here. Do not try again; work in another project.");
  if (state === "23505") return refuse("conflict", "It exists already. Look it up instead of making it again.");
  if (unfitValues.test(state))
    return refuse("failed", `The database does not take these values (${state}). Use shorter or plainer ones.`);
  return null;
}
