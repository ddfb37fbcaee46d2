// Shutting an account ends everything that is done in its name, in the transaction that shuts it: outcomes rest, runs are canceled,
// answers of chats stop, sessions and keys are gone, and open streams are told to look whether their user may still see them.
// Locks: outcomes, chats, the user, runs, as everywhere; all of them before the first is changed.

import type { Tx } from "../db/database.ts";
import type { ChatId } from "../domain/chat/chat.ts";
import { pauseOutcome } from "../domain/homr/commands/outcome-commands.ts";
import type { UserId } from "../domain/identity/identity.ts";
import { cancel } from "../domain/run/commands.ts";
import type { Env } from "../lib/env.ts";
import { commandOutcome } from "../outcomes/command-outcome.ts";
import type { Limits } from "../runs/carry-out.ts";
import { commandRun } from "../runs/command-run.ts";
import { openAnswer } from "../store/chat/chat-store.ts";
import { lockOpenWork } from "../store/identity/open-work-store.ts";
import { changePerson, lockPeople, type Person, type PersonChange } from "../store/identity/user-store.ts";
import { accountTopic, tellTopics } from "../store/notification/topics.ts";
import { inOutcomeTx, type OutcomeJobs } from "../store/outcome/outcome-store.ts";
import { inRunTx } from "../store/run/run-store.ts";
import { stopAnswer } from "./stop-answer.ts";

export type ShutDeps = {
  readonly jobs: OutcomeJobs;
  readonly limits: Limits;
  readonly env: Pick<Env, "now" | "newId">;
};

export type ChangedPerson = {
  readonly person: Person;
  /** Chats whose answer was stopped. */
  readonly chats: readonly ChatId[];
};

/** In a transaction of the platform's. Null: there is no such account. */
export async function setPerson(
  tx: Tx,
  deps: ShutDeps,
  id: string,
  change: PersonChange,
): Promise<ChangedPerson | null> {
  const userId = id as UserId;
  await lockPeople(tx);
  const open = change.disabled ? await lockOpenWork(tx, userId) : { outcomes: [], chats: [], runs: [] };
  const person = await changePerson(tx, id, change);
  if (person === null) return null;
  if (!change.disabled) return { person, chats: [] };
  const { now, newId } = deps.env;
  const world = { nowMs: now(), newId: () => newId() };
  for (const outcomeId of open.outcomes)
    await inOutcomeTx(tx, deps.jobs, (outcomes) =>
      commandOutcome(outcomes, userId, outcomeId, pauseOutcome, { limits: deps.limits, world }),
    );
  await inRunTx(tx, deps.jobs, async (runs) => {
    for (const runId of open.runs) await commandRun(runs, userId, runId, cancel, deps.limits);
  });
  for (const chatId of open.chats) {
    const answer = await openAnswer(tx, chatId);
    if (answer !== null) await stopAnswer(tx, chatId, answer, "The account was disabled.");
  }
  await tellTopics(tx, [accountTopic(userId)]);
  return { person, chats: open.chats };
}
