// One piece of HOMЯ's work with models: taken under the outcome's lock, worked on through its journal without any lock, and ended in
// the transaction that applies what came of it. A crash anywhere leaves a job that someone else takes, and no question asked twice.

import type { z } from "zod";
import { chooseObservationModel } from "../domain/homr/observe/observation-model.ts";
import type { Outcome } from "../domain/homr/outcome.ts";
import type { ProviderFault } from "../domain/run/iteration-result.ts";
import { type Asked, askObject } from "../engine/ask.ts";
import { AppError } from "../lib/app-error.ts";
import { unreachable } from "../lib/assert.ts";
import { prefer } from "../llm/ask-model.ts";
import type { ModelRequest, ModelRole, Models } from "../llm/model.ts";
import type { HomrJob, OutcomeTx, TakenTurn } from "../outcomes/ports/outcome-store.ts";
import { type JournalEnv, StoredJournal } from "../runs/journal.ts";
import { type Journal, untilInterrupted } from "../runs/ports/engine.ts";
import type { HomrLease, Lane } from "../runs/ports/run-store.ts";
import type { HomrDeps } from "./homr-deps.ts";

const homrLane: Lane = { id: "homr", title: null };

/** `gone`: there was nothing to do for this job any more. `postponed`: a provider has to be waited for. */
export type EndedTurn = "done" | "gone" | "lost" | "aborted" | "postponed";

/** Unwinds a transaction whose job or turn is another worker's by now. */
class TurnLost extends Error {}

export type Asking<Writes> = {
  readonly outcome: Outcome;
  readonly journal: Journal<Writes>;
};

/** What came of asking models; `unasked`: none could be, and why. */
export type Answered<T> =
  | { readonly kind: "answered"; readonly value: T }
  | { readonly kind: "unasked"; readonly why: string };

/** Works through the journal of a turn. A hold of a provider postpones the job; what will not pass by itself is an answer, too. */
export async function workOnTurn<Writes, T>(
  deps: HomrDeps<Writes>,
  job: HomrJob,
  outcome: Outcome,
  taken: TakenTurn,
  signal: AbortSignal,
  work: (asking: Asking<Writes>) => Promise<T>,
): Promise<Answered<T> | Exclude<EndedTurn, "done" | "gone">> {
  const { env } = deps;
  const clock: JournalEnv = { newId: env.newId, now: env.now };
  const journal = new StoredJournal<Writes, HomrLease>(deps.journal, taken, signal, clock);
  const worked = await untilInterrupted(signal, async () => ({
    kind: "answered" as const,
    value: await work({ outcome, journal }),
  })).catch(toUnasked);
  switch (worked.kind) {
    case "answered":
    case "unasked":
      return worked;
    case "held":
      return worked.fault.kind === "hold"
        ? postpone(deps, job, worked.fault)
        : { kind: "unasked", why: worked.fault.why };
    case "refused":
      return { kind: "unasked", why: worked.why };
    case "lost":
    case "aborted":
      return worked.kind;
    default:
      return unreachable(worked);
  }
}

/** What should not be thrown: an outcome does not wait for a bug to be mended. That the store is away is another matter. */
function toUnasked(thrown: unknown): { readonly kind: "unasked"; readonly why: string } {
  if (thrown instanceof AppError && thrown.code === "database_unavailable") throw thrown;
  return { kind: "unasked", why: thrown instanceof Error ? thrown.message : String(thrown) };
}

type Hold = Extract<ProviderFault, { readonly kind: "hold" }>;

async function postpone<Writes>(
  { outcomes }: HomrDeps<Writes>,
  job: HomrJob,
  fault: Hold,
): Promise<"postponed" | "lost"> {
  return outcomes.transaction(async (tx) => {
    if (!(await tx.acknowledge(job))) return "lost";
    await tx.enqueue(job.outcomeId, job.turn, fault.untilMs);
    return "postponed";
  });
}

/** The end of a turn together with what it leads to; nothing of it where another worker has the turn or its job by now. */
export async function endTurn<Writes>(
  { outcomes }: HomrDeps<Writes>,
  { lease }: TakenTurn,
  state: "done" | "failed",
  apply: (tx: OutcomeTx) => Promise<void>,
): Promise<"done" | "lost"> {
  try {
    await outcomes.transaction(async (tx) => {
      await apply(tx);
      // The first to end it has its writes kept; the others are undone.
      if (!(await tx.endTurn(lease, state))) throw new TurnLost();
    });
    return "done";
  } catch (thrown) {
    if (thrown instanceof TurnLost) return "lost";
    throw thrown;
  }
}

/** The job is done with; thrown where it is another worker's. */
export async function finishJob(tx: OutcomeTx, job: HomrJob): Promise<void> {
  if (!(await tx.acknowledge(job))) throw new TurnLost();
}

type Question = Pick<ModelRequest, "system" | "view" | "maxOutputTokens"> & {
  readonly role: ModelRole;
  readonly message: string;
};

export function askFor<Writes, T>(
  { models, env }: HomrDeps<Writes>,
  { outcome, journal }: Asking<Writes>,
  key: string,
  { message, ...question }: Question,
  schema: z.ZodType<T>,
): Promise<Asked<T>> {
  const request: ModelRequest = {
    ...question,
    messages: [{ role: "user", text: message }],
    tools: [],
    format: "json",
    cacheKey: `${outcome.id}/${question.role}`,
  };
  const asking = { models: modelsOf(models, outcome), journal, env, run: { models: null } };
  return askObject(asking, key, request, schema, { lane: homrLane });
}

function modelsOf(models: Models, { config, models: chosen }: Outcome): Models {
  const own = prefer(models, chosen);
  const wanted = chooseObservationModel(config);
  if (wanted.kind === "named") return prefer(own, { observer: wanted.name });
  return { ...own, chainOf: (role) => own.chainOf(role === "observer" ? wanted.role : role) };
}

export const isEnded = (value: unknown): value is Exclude<EndedTurn, "done" | "gone"> => typeof value === "string";
