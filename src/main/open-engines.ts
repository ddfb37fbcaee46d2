// What does the work of runs in this process, put together from the settings: models, tools, the planner engine and the
// platform's checks. Opened once; MCP servers and their processes end with it.

import type { Database, Tx } from "../db/database.ts";
import { installAgentEngine } from "../engine/agent/agent-engine.ts";
import { judge } from "../engine/judge.ts";
import { plannerEngine } from "../engine/planner/planner-engine.ts";
import { storeProver } from "../engine/prove.ts";
import type { Logger } from "../lib/logger.ts";
import type { EngineFor, InstalledEngine } from "../runs/ports/engine.ts";
import { makeRegistry } from "../tools/registry.ts";
import { findEngineProblems } from "./agent-settings.ts";
import { asksBeforeComposedAddresses, type Config } from "./config-schema.ts";
import { realEnv } from "./env.ts";
import { keepHost, openAgentDeps } from "./open-agent-engine.ts";
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
  const asksBeforeComposed = asksBeforeComposedAddresses(config);
  const deps = { db, models, registry: makeRegistry(tools.all), env: realEnv, asksBeforeComposed };
  const planner: InstalledEngine<Tx> = {
    engine: plannerEngine(deps),
    prover: storeProver(db, {
      judge: (...asked) => judge(deps, ...asked),
      answers: tools.answers,
    }),
    workFolder: null,
  };
  const problems = findEngineProblems(config, process.env);
  // Settings and programs may have changed since the last run.
  const engineFor: EngineFor<Tx> = (run) => {
    const missing = problems[run.engine];
    if (missing !== null) return { missing };
    return run.engine === "planner"
      ? planner
      : installAgentEngine(openAgentDeps({ db, config, variables: process.env }), run);
  };
  const beat = problems.agent === null ? keepHost({ db, config, logger }) : null;
  const close = async () => {
    beat?.close();
    await tools.close();
  };
  return { engineFor, close };
}
