// Planted bugs about the work itself: the journal, money, limits, what the user said, and proofs.

import { plannerLane } from "../../../src/runs/ports/run-store.ts";
import type { PlantedBug } from "../simulate.ts";
import { wrongJournal, wrongRule, wrongSave, wrongTx } from "./bug.ts";

const journalBugs: readonly PlantedBug[] = [
  wrongTx("the journal is not read by a second attempt", () => ({ readJournal: async () => [] })),
  wrongTx("intents of effects are forgotten, so they are repeated blindly", (tx) => ({
    readJournal: async (runId, iteration) =>
      (await tx.readJournal(runId, iteration)).filter(({ state }) => state !== "intended"),
  })),
  wrongJournal("an effect has another key in every attempt", (journal, { attempt }) => ({
    effect: (key, isRepeatable, act) =>
      journal.effect(key, isRepeatable, (idempotencyKey) => act(`${idempotencyKey}:${attempt}`)),
  })),
  wrongJournal("what goes on without us is started anew by every attempt", (journal, { attempt }) => ({
    startOrAdopt: (entry, { start, adopt, stop }, tell) => {
      const head = typeof entry === "string" ? { key: entry, lane: plannerLane, tool: null, args: null } : entry;
      const again = (key: string) => start(`${key}:${attempt}`);
      return journal.startOrAdopt({ ...head, key: `${head.key}/${attempt}` }, { start: again, adopt, stop }, tell);
    },
  })),
  wrongTx("what went on without us and has ended is taken once more", (tx) => ({
    readJournal: async (runId, iteration) =>
      (await tx.readJournal(runId, iteration)).map((entry) =>
        entry.handle === null ? entry : { ...entry, state: "intended" as const },
      ),
  })),
  {
    name: "what an entry writes is not undone with it",
    store: (store, database) => ({
      ...store,
      recordWrites: (lease, work) =>
        store.recordWrites(lease, () =>
          work({
            write: async (document) => {
              const { runId, iteration, fence } = lease;
              const there = database.documents.get(runId) ?? [];
              database.documents.set(runId, [...there, { ...document, runId, iteration, fence }]);
            },
          }),
        ),
    }),
  },
];

const forgetful = wrongSave("an iteration that its provider stopped forgets what it wrote", (saved) =>
  saved.ended?.status === "failed" ? { ...saved, ended: { ...saved.ended, artifacts: [] } } : saved,
);

const moneyBugs: readonly PlantedBug[] = [
  wrongRule("a call whose worker died costs nothing", (right) => ({
    chargeFor: (call, why) => (why === "lost" ? 0 : right.chargeFor(call, why)),
  })),
  wrongRule("a call that failed costs nothing", (right) => ({
    chargeFor: (call, why) => (why === "failed" ? 0 : right.chargeFor(call, why)),
  })),
  wrongRule("a call is settled twice", () => ({ isSettleable: () => true })),
  wrongTx("calls of the dead are not given up", () => ({ giveUpCalls: async () => {} })),
  wrongRule("a hard limit is not looked at", () => ({ hasRoom: () => true })),
  wrongRule("a hard limit forgets calls under way", () => ({
    hasRoom: ({ run: { budget, spent } }, { reservedMicroUsd }) =>
      !budget.isCostHard ||
      spent.costMicroUsd + reservedMicroUsd <= (budget.maxCostMicroUsd ?? Number.POSITIVE_INFINITY),
  })),
  {
    name: "a call is made before it is in the ledger",
    store: (store) => ({ ...store, reserveCall: async () => "kept" }),
  },
  {
    name: "money spent before a cancel is not settled after it",
    store: (store, { runs }) => ({
      ...store,
      settleCall: async (lease, ...rest) =>
        runs.get(lease.runId)?.run.fence === lease.fence ? store.settleCall(lease, ...rest) : "lost",
    }),
    rules: () => ({ chargeFor: () => 0 }),
  },
  wrongTx("one iteration more than allowed", (tx, { runs }) => ({
    lockRun: async (runId) => {
      const locked = await tx.lockRun(runId);
      if (locked === null) return null;
      const { budget } = locked.run;
      return { ...locked, run: { ...locked.run, budget: { ...budget, maxIterations: budget.maxIterations + 1 } } };
    },
    save: (saved) => {
      const budget = runs.get(saved.run.id)?.run.budget ?? saved.run.budget;
      const isRaised = saved.run.budget.maxIterations > budget.maxIterations + 1;
      return tx.save(isRaised ? saved : { ...saved, run: { ...saved.run, budget } });
    },
  })),
];

const messageBugs: readonly PlantedBug[] = [
  wrongTx("messages are heard and not marked", (tx, { runs }) => ({
    takeUpMessages: async (runId, iteration) => [
      ...(await tx.takeUpMessages(runId, iteration, false)),
      ...(runs.get(runId)?.messages ?? []).filter(({ consumedIteration }) => consumedIteration === null),
    ],
  })),
  wrongTx("a message between two attempts is swallowed by the second", (tx) => ({
    takeUpMessages: (runId, iteration) => tx.takeUpMessages(runId, iteration, true),
    save: (saved) => tx.save(saved.lease === "begin" ? { ...saved, run: { ...saved.run, unreadMessages: 0 } } : saved),
  })),
];

const unheardBug = wrongSave("what a failed iteration did not hear is lost", (saved) => ({ ...saved, unheard: null }));

const proofBugs: readonly PlantedBug[] = [
  {
    name: "every check is green",
    prover: (prover) => ({
      prove: async (...args) => {
        const proven = await prover.prove(...args);
        if (proven.kind !== "proven") return proven;
        const artifacts = [{ kind: "document", id: "none" }];
        return { ...proven, proofs: proven.proofs.map((proof) => ({ ...proof, isGreen: true, artifacts })) };
      },
    }),
  },
];

export const workBugs: readonly PlantedBug[] = [
  ...journalBugs,
  forgetful,
  ...moneyBugs,
  ...messageBugs,
  unheardBug,
  ...proofBugs,
];
