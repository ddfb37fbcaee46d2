// What does the work of runs in this process, put together from the settings: models, tools, the planner engine and the
// platform's checks. Opened once; MCP servers and their processes end with it.

import type { Database, Tx } from "../db/database.ts";
import { judge } from "../engine/judge.ts";
import { plannerEngine } from "../engine/planner/planner-engine.ts";
import { storeProver } from "../engine/prove.ts";
import type { Logger } from "../lib/logger.ts";
import type { Engine, Prover } from "../runs/ports/engine.ts";
import { makeRegistry } from "../tools/registry.ts";
import type { Config } from "./config-schema.ts";
import { realEnv } from "./env.ts";
import type { OpenModels } from "./open-models.ts";
import { openTools } from "./open-tools.ts";

export type Engines = { readonly engine: Engine<Tx>; readonly prover: Prover<Tx> };

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
  return {
    engine: plannerEngine(deps),
    prover: storeProver(db, {
      judge: (run, check, artifacts, journal) => judge(deps, run, check, artifacts, journal),
      answers: tools.answers,
    }),
    close: tools.close,
  };
}
