// Workers on the database of a test application, with a scripted engine. Call it at the top of the file; what a test leaves
// running is closed for you.

import { afterAll } from "vitest";
import type { Tx } from "../../src/db/database.ts";
import { startNotifier } from "../../src/db/notifier.ts";
import { defaultBreakers } from "../../src/domain/run/gate/breakers.ts";
import { silentLogger } from "../../src/lib/logger.ts";
import { iterationHandler } from "../../src/loop/iteration-handler.ts";
import { startWorker } from "../../src/loop/worker.ts";
import { realEnv } from "../../src/main/env.ts";
import { loopStore } from "../../src/runs/loop-store.ts";
import { changesChannel } from "../../src/store/notification/topics.ts";
import { runStore } from "../../src/store/run/run-store.ts";
import { type Script, scriptedEngine, scriptedProver } from "./scripted-engine.ts";
import type { TestApp } from "./test-app.ts";

export type TestWorkers = {
  /** One more, with room for this many iterations at a time. */
  readonly start: (script: Script, concurrency?: number) => { readonly close: () => Promise<void> };
};

export function testWorkers({ db, queue }: TestApp, maxConcurrentRuns = 3): TestWorkers {
  const open = new Set<ReturnType<typeof startWorker>>();
  const viewers = startNotifier(db, changesChannel, realEnv);
  afterAll(async () => {
    for (const worker of open) await worker.close(0);
    await viewers.close();
  });
  const writesNothing = async () => {
    throw new Error("this script writes nothing");
  };
  return {
    start: (script, concurrency = 4) => {
      const iteration = iterationHandler<Tx>({
        db,
        concurrency,
        logger: silentLogger,
        runs: loopStore(runStore(db, queue, viewers.tell), {
          workerName: "test",
          breakers: { ...defaultBreakers, noProgress: 1_000 }, // Scripts here change nothing.
          limits: { maxConcurrentRuns },
        }),
        engineFor: () => ({
          engine: scriptedEngine<Tx>(script, writesNothing),
          prover: scriptedProver(),
          workFolder: null,
        }),
        newId: realEnv.newId,
        now: realEnv.now,
      });
      const worker = startWorker({ db, queue, handlers: { iteration }, env: realEnv, logger: silentLogger });
      open.add(worker);
      return {
        close: async () => {
          open.delete(worker);
          await worker.close(5_000);
        },
      };
    },
  };
}
