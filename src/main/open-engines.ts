// What does the work of runs in this process, put together from the settings: models, tools, the planner engine and the
// platform's checks. Opened once; MCP servers and their processes end with it.

import type { Database, Tx } from "../db/database.ts";
import type { EngineName } from "../domain/run/run.ts";
import { judge } from "../engine/judge.ts";
import { plannerEngine } from "../engine/planner/planner-engine.ts";
import { storeProver } from "../engine/prove.ts";
import { assert } from "../lib/assert.ts";
import type { Logger } from "../lib/logger.ts";
import type { EngineFor, InstalledEngine } from "../runs/ports/engine.ts";
import { makeRegistry } from "../tools/registry.ts";
import type { Config } from "./config-schema.ts";
import { engineProblems } from "./engine-problems.ts";
import { realEnv } from "./env.ts";
import type { OpenModels } from "./open-models.ts";
import { openTools } from "./open-tools.ts";

export type Engines = { readonly engineFor: EngineFor<Tx> };

export type OpenEngines = Engines & { readonly close: () => Promise<void> };

type EnginesInput = {
  readonly db: Database;
  readonly config: Config;
  readonly logger: Logger;
  readonly models: OpenModels;
};

export async function openEngines({ db, config, logger, models }: EnginesInput): Promise<OpenEngines> {
  const tools = await openTools(config, logger);
  const deps = { db, models, registry: makeRegistry(tools.all), env: realEnv };
  const planner: InstalledEngine<Tx> = {
    engine: plannerEngine(deps),
    prover: storeProver(db, {
      judge: (run, check, artifacts, journal) => judge(deps, run, check, artifacts, journal),
      answers: tools.answers,
    }),
    workFolder: null,
  };
  return { engineFor: chooseEngine({ planner }), close: tools.close };
}

function chooseEngine(installed: Readonly<Partial<Record<EngineName, InstalledEngine<Tx>>>>): EngineFor<Tx> {
  return (run) => {
    const missing = engineProblems[run.engine];
    if (missing !== null) return { missing };
    const found = installed[run.engine];
    assert(found, `the ${run.engine} engine is installed`);
    return found;
  };
}
