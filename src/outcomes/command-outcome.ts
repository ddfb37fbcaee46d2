// What a person does to an outcome, as a transaction: of a command and a job that meet, exactly one comes first, and the other sees it.
// One that begins is offered what its owner's outcomes have learnt before.

import { offerMemories } from "../domain/homr/context/memory.ts";
import type { OutcomeId } from "../domain/homr/outcome.ts";
import type { HomrWorld, Moved, OutcomeState, Refused } from "../domain/homr/outcome-state.ts";
import type { TaskId } from "../domain/homr/tasks/task-id.ts";
import type { UserId } from "../domain/identity/identity.ts";
import type { Limits } from "../runs/carry-out.ts";
import { carryOut } from "./carry-out.ts";
import type { OutcomeTx } from "./ports/outcome-store.ts";

export type OutcomeCommand = (state: OutcomeState, world: HomrWorld) => Moved | Refused;

export type CommandedOutcome =
  | { readonly outcome: "done"; readonly state: OutcomeState }
  /** It said no; `state` is how it stands. */
  | { readonly outcome: "refused"; readonly why: string; readonly state: OutcomeState }
  | { readonly outcome: "missing" };

/** `spokenOf`: tasks that the command is about, though they may have ended. */
export async function commandOutcome(
  tx: OutcomeTx,
  userId: UserId,
  id: OutcomeId,
  command: OutcomeCommand,
  { limits, world }: { readonly limits: Limits; readonly world: HomrWorld },
  spokenOf: readonly TaskId[] = [],
): Promise<CommandedOutcome> {
  const before = await tx.lockOutcome(id, spokenOf);
  if (before === null || before.outcome.userId !== userId) return { outcome: "missing" };
  const first = command(before, world);
  if (!first.isDone) return { outcome: "refused", why: first.why, state: before };
  const isBegun = rests(before) && first.move.state.outcome.status === "active";
  const answer = isBegun ? command(await withMemories(tx, before, world), world) : first;
  const { move } = answer.isDone ? answer : first;
  await carryOut(tx, before, move, limits);
  return { outcome: "done", state: move.state };
}

const rests = ({ outcome: { status } }: OutcomeState): boolean => status !== "active" && status !== "paused";

async function withMemories(tx: OutcomeTx, state: OutcomeState, world: HomrWorld): Promise<OutcomeState> {
  const memories = await tx.findMemories(state.outcome);
  return { ...state, context: offerMemories(state.context, memories, world) };
}
