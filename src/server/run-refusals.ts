// What is refused before a run or an outcome is accepted: an engine that this installation lacks, a folder that agents may not work
// in, a hard limit on what cannot be counted beforehand.

import type { Tx } from "../db/database.ts";
import { findForbiddenModels } from "../domain/identity/quota.ts";
import type { Run } from "../domain/run/run.ts";
import { AppError } from "../lib/app-error.ts";
import type { AgentsPort } from "../runs/ports/agents.ts";
import type { EngineProblems } from "../runs/ports/engine.ts";
import type { ModelsPort } from "../runs/ports/models.ts";
import { readQuota } from "../store/identity/quota-store.ts";

export function refuseMissingEngine({ engines }: { readonly engines: EngineProblems }, run: Pick<Run, "engine">): void {
  const problem = engines[run.engine];
  if (problem !== null) throw new AppError("invalid_request", `body.engine: ${problem}`);
}

/** The repository that an agent shall work on; null: a folder of its own. */
export async function findWorkFolder(
  { agents }: { readonly agents: AgentsPort },
  { engine, work_folder: folder }: { readonly engine: Run["engine"]; readonly work_folder?: string | undefined },
): Promise<string | null> {
  if (folder === undefined) return null;
  if (engine !== "agent")
    throw new AppError("invalid_request", "body.work_folder: only agents work in a folder; set engine to agent");
  const found = await agents.findRepository(folder);
  if ("repository" in found) return found.repository;
  throw new AppError("unprocessable", `body.work_folder: ${found.why}`);
}

/** Models that a person names are paid for with the installation's keys: an admin may say which. */
export async function refuseForbiddenModels(
  { models }: { readonly models: ModelsPort },
  tx: Tx,
  userId: string,
  chosen: Run["models"],
): Promise<void> {
  await refuseForbiddenNames({ models }, tx, userId, Object.values(chosen ?? {}));
}

/** The same of any model that is chosen by its name. */
export async function refuseForbiddenNames(
  { models }: { readonly models: ModelsPort },
  tx: Tx,
  userId: string,
  chosen: readonly (string | undefined)[],
): Promise<void> {
  const named = chosen.filter((name) => name !== undefined);
  const quota = await readQuota(tx, userId);
  if (named.length === 0 || quota.models === null) return;
  const { roles } = await models.show();
  const usual = roles.flatMap(({ model, fallbacks }) => [model, ...fallbacks]);
  const forbidden = findForbiddenModels(quota, named, usual);
  if (forbidden.length === 0) return;
  const allowed = [...new Set([...usual, ...quota.models])].join(", ");
  throw new AppError("forbidden", `body.models: you may not choose ${forbidden.join(", ")}; you may choose ${allowed}`);
}

/** A hard limit holds only what it can count beforehand. */
export async function refuseUnpriced(
  { models }: { readonly models: ModelsPort },
  { budget, engine, models: chosen }: Pick<Run, "budget" | "engine" | "models">,
) {
  if (!budget.isCostHard || budget.maxCostMicroUsd === null) return;
  if (engine === "agent")
    throw new AppError(
      "unprocessable",
      "body.budgets.hard: what an agent costs is known only once it has worked, so no limit can hold: leave out `hard`",
    );
  const unpriced = await models.findUnpriced(chosen);
  if (unpriced.length === 0) return;
  const names = unpriced.join(", ");
  const help = "choose models with a known price, set model_prices, or leave out `hard`";
  throw new AppError(
    "unprocessable",
    `body.budgets.hard: the price of ${names} is not known, so no limit can hold: ${help}`,
  );
}
