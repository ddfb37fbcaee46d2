// What is refused before a run or an outcome is accepted or goes on: an engine that this installation lacks, a model that cannot be
// asked, a folder that agents may not work in, a hard limit on what cannot be counted beforehand.

import type { Tx } from "../db/database.ts";
import type { HomrConfig } from "../domain/homr/homr-config.ts";
import { chooseObservationModel } from "../domain/homr/observe/observation-model.ts";
import { findForbiddenModels } from "../domain/identity/quota.ts";
import type { Run } from "../domain/run/run.ts";
import { AppError } from "../lib/app-error.ts";
import type { EngineProblems } from "../runs/ports/engine.ts";
import { readQuota } from "../store/identity/quota-store.ts";
import type { AgentsPort } from "./ports/agents.ts";
import type { ModelsPort } from "./ports/models.ts";

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

type Named = { readonly names: readonly (string | undefined)[]; readonly field: string };

/** The models that a run or an outcome asks for itself. */
export const refuseModels = (deps: ModelDeps, tx: Tx, userId: string, chosen: Run["models"]): Promise<void> =>
  refuseModelNames(deps, tx, userId, { names: Object.values(chosen ?? {}), field: "body.models" });

/** An outcome names one more: the model that observes. */
export function refuseObserver(
  deps: ModelDeps,
  tx: Tx,
  userId: string,
  config: Pick<HomrConfig, "observationModel">,
  field: string,
): Promise<void> {
  const observer = chooseObservationModel(config);
  return refuseModelNames(deps, tx, userId, { names: observer.kind === "named" ? [observer.name] : [], field });
}

type ModelDeps = { readonly models: ModelsPort };

/** A model that cannot be asked, and one that this person may not choose: a named model is paid for with the installation's keys. */
async function refuseModelNames({ models }: ModelDeps, tx: Tx, userId: string, { names, field }: Named): Promise<void> {
  const named = names.filter((name) => name !== undefined);
  if (named.length === 0) return;
  const problem = await models.findProblem(named);
  if (problem !== null)
    throw new AppError("invalid_request", `${field}: ${problem}`, { details: { problems: [{ at: field, problem }] } });
  const quota = await readQuota(tx, userId);
  if (quota.models === null) return;
  const { roles } = await models.show();
  const usual = roles.flatMap(({ model, fallbacks }) => [model, ...fallbacks]);
  const forbidden = findForbiddenModels(quota, named, usual);
  if (forbidden.length === 0) return;
  const allowed = [...new Set([...usual, ...quota.models])].join(", ");
  throw new AppError("forbidden", `${field}: you may not choose ${forbidden.join(", ")}; you may choose ${allowed}`);
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
