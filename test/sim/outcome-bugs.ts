// Bugs planted into HOMЯ and its store, one each: the simulation of outcomes has to find every one of them.

import type { HomrDeps } from "../../src/homr/homr-deps.ts";
import type { OutcomeTx } from "../../src/outcomes/ports/outcome-store.ts";
import type { MemoryWrites } from "./memory/memory-journal-store.ts";
import type { OutcomeBug } from "./simulate-outcomes.ts";

type Deps = HomrDeps<MemoryWrites>;

const inTx = (name: string, change: (tx: OutcomeTx) => Partial<OutcomeTx>): OutcomeBug => ({
  name,
  homr: (deps: Deps): Deps => ({
    ...deps,
    outcomes: { transaction: (work) => deps.outcomes.transaction((tx) => work({ ...tx, ...change(tx) })) },
  }),
});

export const outcomeBugs: readonly OutcomeBug[] = [
  inTx("a job is done although another worker has it", (tx) => ({
    acknowledge: async (job) => {
      await tx.acknowledge(job);
      return true;
    },
    endTurn: async (lease, state) => {
      await tx.endTurn(lease, state);
      return true;
    },
  })),
  inTx("an attempt is settled without its observation", (tx) => ({
    save: (change) => tx.save({ ...change, observation: null }),
  })),
  inTx("a question is kept and its tasks are not paused", (tx) => ({
    save: (change) => {
      const tasks = change.state.tasks.map((task) =>
        task.status === "paused" ? { ...task, status: "pending" as const } : task,
      );
      return tx.save({ ...change, state: { ...change.state, tasks } });
    },
  })),
  inTx("the end of an attempt is not written down", (tx) => ({
    save: (change) => tx.save({ ...change, ended: null }),
  })),
  inTx("a task is begun without its attempt", (tx) => ({ save: (change) => tx.save({ ...change, begun: [] }) })),
  inTx("the run of a skipped task works on", (tx) => ({
    runs: {
      ...tx.runs,
      lockRun: async (runId) => ((await tx.findAttempt(runId)) === null ? tx.runs.lockRun(runId) : null),
    },
  })),
];
