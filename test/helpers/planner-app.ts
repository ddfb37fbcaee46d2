// A real application with a worker that has the planner engine, and the model lab as its provider: a script says what each role
// answers. For tests of what is shown of runs. Call it at the top of a file; everything is closed for you.

import { afterAll, expect } from "vitest";
import type { Tx } from "../../src/db/database.ts";
import { startNotifier } from "../../src/db/notifier.ts";
import { defaultBreakers } from "../../src/domain/run/breakers.ts";
import { judge } from "../../src/engine/judge.ts";
import { plannerEngine } from "../../src/engine/planner/planner-engine.ts";
import { storeProver } from "../../src/engine/prove.ts";
import { silentLogger } from "../../src/lib/logger.ts";
import { startWorker } from "../../src/loop/worker.ts";
import { realEnv } from "../../src/main/env.ts";
import { runStore } from "../../src/store/run-store.ts";
import { changesChannel } from "../../src/store/topics.ts";
import { builtInTools } from "../../src/tools/built-in.ts";
import { makeRegistry } from "../../src/tools/registry.ts";
import { startLab } from "../lab/lab.ts";
import { labModels, labPrices } from "../lab/lab-models.ts";
import { type RoleScript, readRequest, toReply } from "./role-script.ts";
import { type Person, type TestApp, testApp } from "./test-app.ts";

export type PlannerApp = TestApp & {
  /** What the next runs' models say. */
  readonly script: (script: RoleScript) => void;
  /** Hands the objective over and waits until the run has this status. */
  readonly play: (by: Person, body: object, status: string) => Promise<string>;
  readonly until: (by: Person, runId: string, status: string) => Promise<void>;
};

export async function plannerApp(model = "openrouter/anthropic/claude-sonnet-5.5"): Promise<PlannerApp> {
  const app = await testApp({ poolSize: 8, maxConcurrentRuns: 10 });
  let current: RoleScript = () => ({ status: 500, body: "no script" });
  const lab = await startLab({
    prices: labPrices,
    script: (request) => {
      const asked = readRequest(request);
      return toReply(current(asked), asked);
    },
  });
  const { models } = labModels(lab, [model]);
  const { db, queue } = app;
  const deps = { db, models, registry: makeRegistry(builtInTools), env: realEnv };
  const viewers = startNotifier(db, changesChannel, realEnv);
  const worker = startWorker<Tx>({
    db,
    queue,
    concurrency: 4,
    env: realEnv,
    logger: silentLogger,
    store: runStore(db, queue, viewers.tell),
    engine: plannerEngine(deps),
    prover: storeProver(db, { judge: (run, check, artifacts, journal) => judge(deps, run, check, artifacts, journal) }),
    newId: realEnv.newId,
    now: realEnv.now,
    workerName: "test",
    breakers: defaultBreakers,
    limits: { maxConcurrentRuns: 10 },
  });
  afterAll(async () => {
    await worker.close(0);
    await viewers.close();
    await lab.close();
  });
  const until: PlannerApp["until"] = async (by, runId, status) => {
    const now = async () => (await app.call("GET", `/api/homework/runs/${runId}`, by.session)).body.run.status;
    await expect.poll(now, { timeout: 20_000, interval: 50 }).toBe(status);
  };
  return {
    ...app,
    script: (script) => {
      current = script;
    },
    until,
    play: async (by, body, status) => {
      const made = await app.call("POST", "/api/homework/runs", by.session, { body });
      if (made.status !== 201) throw new Error(made.text);
      await until(by, made.body.run_id, status);
      return made.body.run_id;
    },
  };
}
