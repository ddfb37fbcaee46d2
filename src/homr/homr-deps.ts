// What HOMЯ needs of the world. All of it comes in: simulations bring a store in memory and models that follow a script.

import type { OutcomeId } from "../domain/homr/outcome.ts";
import type { HomrWorld } from "../domain/homr/outcome-state.ts";
import type { Liveness } from "../domain/homr/tasks/supervise.ts";
import type { Env } from "../lib/env.ts";
import type { Logger } from "../lib/logger.ts";
import type { Models } from "../llm/model.ts";
import type { ReadWork } from "../outcomes/ports/attempt-work.ts";
import type { OutcomeTransactions } from "../outcomes/ports/outcome-store.ts";
import type { ReadReviewWork } from "../outcomes/ports/review-work.ts";
import type { Limits } from "../runs/carry-out.ts";
import type { HomrLease, JournalStore } from "../runs/ports/run-store.ts";

export type HomrDeps<Writes> = {
  readonly outcomes: OutcomeTransactions;
  readonly journal: JournalStore<Writes, HomrLease>;
  readonly readWork: ReadWork;
  readonly readReviewWork: ReadReviewWork;
  readonly readLiveness: (id: OutcomeId) => Promise<readonly Liveness[]>;
  readonly models: Models;
  readonly env: Pick<Env, "now" | "newId" | "sleep">;
  readonly limits: Limits;
  readonly logger: Pick<Logger, "debug" | "warn">;
};

export const worldOf = ({ env }: Pick<HomrDeps<never>, "env">): HomrWorld => ({ nowMs: env.now(), newId: env.newId });

/** For the fences of a prompt. */
export const newNonce = ({ env }: Pick<HomrDeps<never>, "env">): string => env.newId().replaceAll("-", "");
