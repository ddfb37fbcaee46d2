// How routes change an outcome: it is found as its owner, so that those of others are not there; what changes it is then done as the
// platform, in the same transaction.

import { asPlatform, type Tx } from "../db/database.ts";
import type { HomrConfig } from "../domain/homr/homr-config.ts";
import type { OutcomeId } from "../domain/homr/outcome.ts";
import type { HomrWorld, Moved, OutcomeState, Refused } from "../domain/homr/outcome-state.ts";
import type { TaskId } from "../domain/homr/tasks/task-id.ts";
import type { AuditAction } from "../domain/identity/audit.ts";
import type { Actor } from "../domain/identity/identity.ts";
import { AppError } from "../lib/app-error.ts";
import type { Env } from "../lib/env.ts";
import { commandOutcome, type OutcomeCommand } from "../outcomes/command-outcome.ts";
import type { Limits } from "../runs/carry-out.ts";
import type { EngineProblems } from "../runs/ports/engine.ts";
import { writeAudit } from "../store/identity/audit-store.ts";
import { inOutcomeTx, type OutcomeJobs } from "../store/outcome/outcome-store.ts";
import { findOutcome, lastOutcomeSeq, type OutcomeView } from "../store/outcome-view/outcome-list-store.ts";
import type { MountDeps } from "./mount.ts";
import { toWireOutcome } from "./outcome-wire.ts";
import type { AgentsPort } from "./ports/agents.ts";
import type { ModelsPort } from "./ports/models.ts";
import { foundOrThrow, missing } from "./wire.ts";

export type OutcomeDeps = MountDeps & {
  readonly jobs: OutcomeJobs;
  readonly limits: Limits;
  readonly models: ModelsPort;
  /** Which engines runs can have here. */
  readonly engines: EngineProblems;
  readonly agents: AgentsPort;
  /** That of outcomes whose user names none. */
  readonly timeZone: string;
  /** What a new outcome has, unless its user sets something else. */
  readonly homr: HomrConfig;
};

export const worldOf = ({ now, newId }: Env): HomrWorld => ({ nowMs: now(), newId: () => newId() });

export const viewOf = async (tx: Tx, outcomeId: string): Promise<OutcomeView> =>
  foundOrThrow(await findOutcome(tx, outcomeId), "outcome");

export type ChangeRequest = {
  readonly tx: Tx;
  readonly actor: Actor;
  readonly params: { readonly outcomeId: string };
};

export type Change = {
  readonly action: AuditAction;
  readonly command: (state: OutcomeState, world: HomrWorld) => Moved | Refused;
  /** Tasks that it is about, though they may have ended. */
  readonly spokenOf?: readonly string[];
  /** What the caller is told if it is refused; left out: why, and how the outcome stands. */
  readonly explain?: (why: string, state: OutcomeState) => Promise<AppError | null>;
};

export type Changed = { readonly before: OutcomeState; readonly after: OutcomeState };

/** Also the platform's further work on it, in the same transaction (`alongside`). */
export async function changeOutcome(
  deps: OutcomeDeps,
  { tx, actor, params }: ChangeRequest,
  { action, command, spokenOf = [], explain }: Change,
  alongside: (platform: Tx, changed: Changed) => Promise<void> = async () => {},
): Promise<Changed> {
  const id = params.outcomeId as OutcomeId;
  if ((await lastOutcomeSeq(tx, id)) === null) throw missing("outcome");
  const world = worldOf(deps.env);
  let before: OutcomeState | null = null;
  const decide: OutcomeCommand = (state, now) => {
    before ??= state;
    return command(state, now);
  };
  const tasks = spokenOf.map((task) => task as TaskId);
  const answer = await asPlatform(tx, async (platform) => {
    const done = await inOutcomeTx(platform, deps.jobs, (outcomes) =>
      commandOutcome(outcomes, actor.userId, id, decide, { limits: deps.limits, world }, tasks),
    );
    if (done.outcome === "done" && before !== null) await alongside(platform, { before, after: done.state });
    return done;
  });
  if (answer.outcome === "missing" || before === null) throw missing("outcome");
  if (answer.outcome === "refused")
    throw (await explain?.(answer.why, answer.state)) ?? (await refused(tx, id, answer.why));
  await writeAudit(tx, { actorId: actor.userId, action, target: `outcome:${id}` });
  return { before, after: answer.state };
}

/** The outcome said no. `outcome` is how it stands, so the second caller can see what the first one did. */
async function refused(tx: Tx, id: string, why: string): Promise<AppError> {
  const outcome = toWireOutcome(await viewOf(tx, id));
  return new AppError("wrong_status", why, { details: { status: outcome.status, outcome } });
}
