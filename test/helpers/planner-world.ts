// Runs of the planner engine on a real database, with the model lab as the provider: a script says what each role answers.

import { afterAll } from "vitest";
import type { Tx } from "../../src/db/database.ts";
import { judge } from "../../src/engine/judge.ts";
import { plannerEngine } from "../../src/engine/planner/planner-engine.ts";
import { storeProver } from "../../src/engine/prove.ts";
import type { Env } from "../../src/lib/env.ts";
import { type ModelRole, type Models, modelRoles } from "../../src/llm/model.ts";
import type { ProviderName } from "../../src/llm/model-id.ts";
import { createModels } from "../../src/llm/models.ts";
import { realEnv } from "../../src/main/env.ts";
import type { Engine, Prover } from "../../src/runs/ports/engine.ts";
import { builtInTools } from "../../src/tools/built-in.ts";
import { makeRegistry } from "../../src/tools/registry.ts";
import type { Tool } from "../../src/tools/tool.ts";
import { type Lab, startLab } from "../lab/lab.ts";
import { labPrices, providerOf, refOf } from "../lab/lab-models.ts";
import { type RoleRequest, readRequest, type SlowScript, toReply } from "./role-script.ts";
import { type RunWorld, runWorld } from "./run-world.ts";

type Engines = { readonly engine: Engine<Tx>; readonly prover: Prover<Tx> };

export type PlannerWorld = RunWorld &
  Engines & {
    readonly lab: Lab;
    readonly asked: readonly RoleRequest[];
    /** What the next runs' models say. */
    readonly script: (script: SlowScript) => void;
    /** The same with another model in every role, and another clock if that is wanted. */
    readonly enginesFor: (model: string, env?: Env) => Engines;
  };

export async function plannerWorld(
  model = "openrouter/anthropic/claude-sonnet-5.5",
  tools: readonly Tool[] = builtInTools,
): Promise<PlannerWorld> {
  const world = await runWorld();
  const asked: RoleRequest[] = [];
  let current: SlowScript = () => ({ status: 500, body: "no script" });
  const lab = await startLab({
    prices: labPrices,
    script: async (request) => {
      const seen = readRequest(request);
      asked.push(seen);
      return toReply(await current(seen), seen);
    },
  });
  afterAll(() => lab.close());
  const registry = makeRegistry(tools);
  const enginesFor: PlannerWorld["enginesFor"] = (id, env = realEnv) => {
    const deps = { db: world.db, models: modelsOf(lab, id, env), registry, env };
    return {
      engine: plannerEngine(deps),
      prover: storeProver(world.db, {
        judge: (...asked) => judge(deps, ...asked),
      }),
    };
  };
  return {
    ...world,
    ...enginesFor(model),
    lab,
    asked,
    enginesFor,
    script: (script) => {
      current = script;
      asked.length = 0;
    },
  };
}

function modelsOf(lab: Lab, id: string, env: Env): Models {
  const chain = [refOf(id)] as const;
  return createModels({
    chains: Object.fromEntries(modelRoles.map((role) => [role, chain])) as Record<ModelRole, typeof chain>,
    providers: new Map([[chain[0].provider, providerOf(lab, chain[0].provider as ProviderName)]]),
    env,
    fetch,
    demo: () => ({ text: "", toolCalls: [] }),
  });
}
