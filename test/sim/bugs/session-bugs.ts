// Planted bugs about sessions: judges and summaries that cannot be asked, answers that break off, messages of the user, and
// holds. Each is something that 0.4.0 did, or the nearest wrong way to mend it.

import type { Proof } from "../../../src/domain/run/checks/check.ts";
import { AppError } from "../../../src/lib/app-error.ts";
import type { ModelOutcome } from "../../../src/llm/model.ts";
import type { Proven } from "../../../src/runs/ports/engine.ts";
import type { PlantedBug } from "../simulate.ts";
import { findJudge } from "../simulated-prover.ts";
import { wrongJournal, wrongSave, wrongTx } from "./bug.ts";

/** What the checks came to, taken for something else. */
const wrongProven = (name: string, change: (proven: Proven) => Proven): PlantedBug => ({
  name,
  prover: (prover) => ({ prove: async (...args) => change(await prover.prove(...args)) }),
});

const greenIf = (proven: Proven, isGreen: (proof: Proof) => boolean): Proven =>
  proven.kind === "proven"
    ? { kind: "proven", proofs: proven.proofs.map((proof) => (isGreen(proof) ? { ...proof, isGreen: true } : proof)) }
    : proven;

const judgeBugs: readonly PlantedBug[] = [
  wrongProven("A5: a fault of the judge is thrown past the loop and kills the worker", (proven) => {
    if (proven.kind === "held") throw new AppError("database_unavailable", proven.fault.why);
    return proven;
  }),
  wrongProven("A5: a fault of the judge fails the iteration", (proven) => {
    if (proven.kind === "held") throw new Error(proven.fault.why);
    return proven;
  }),
  wrongProven("A5: a judge that cannot be asked says no", (proven) =>
    proven.kind === "held" ? { kind: "proven", proofs: [] } : proven,
  ),
  {
    name: "A5: a summary that cannot be had is thrown past the loop",
    engine: (engine) => ({
      ...engine,
      narrate: async (...args) => {
        const narrated = (await engine.narrate?.(...args)) ?? { kind: "narrated", text: null };
        if (narrated.kind !== "narrated") throw new AppError("database_unavailable", "no summary");
        return narrated;
      },
    }),
  },
  {
    name: "the judge is skipped",
    prover: (prover) => ({
      prove: async (run, result, journal) => {
        const judge = findJudge(run);
        const checks = run.checks.filter((check) => check !== judge);
        const proven = await prover.prove({ ...run, checks }, result, journal);
        if (judge === null || proven.kind !== "proven") return proven;
        return { ...proven, proofs: [...proven.proofs, ...proven.proofs.map((p) => ({ ...p, checkId: judge.id }))] };
      },
    }),
  },
  wrongProven("the judge's no is taken for a yes", (proven) => greenIf(proven, ({ seen }) => seen === "no")),
  wrongProven("a judge that misquotes is believed", (proven) => greenIf(proven, ({ seen }) => seen === "misquoted")),
];

const wrongOutcome = (name: string, change: (outcome: ModelOutcome, callId: string) => ModelOutcome): PlantedBug => ({
  name,
  models: (models, under) => ({
    ...models,
    call: async (...args) => {
      const { callId } = under;
      return change(await models.call(...args), callId);
    },
  }),
});

const cutOffBugs: readonly PlantedBug[] = [
  wrongOutcome("B6: an answer that broke off counts as transient and is asked for again", (outcome) =>
    outcome.kind === "cut_off"
      ? { kind: "fault", fault: { kind: "transient", why: outcome.why }, usage: outcome.usage }
      : outcome,
  ),
  wrongOutcome("B6: what an answer called for when it broke off is carried out", (outcome, callId) => {
    if (outcome.kind !== "cut_off" || outcome.usage === "unknown") return outcome;
    const half = { callId: `${callId}.0`, tool: "write", args: {} };
    const answer = { text: outcome.text, toolCalls: [half], native: null };
    return { kind: "answered", answer, usage: outcome.usage };
  }),
];

const keyOf = (entry: string | { readonly key: string }): string => (typeof entry === "string" ? entry : entry.key);

const refusedBug = wrongJournal("a request that failed for good is asked again by another attempt", (journal) => ({
  recall: (key) => (key.endsWith("/failed") ? null : journal.recall(key)),
}));

const messageBugs: readonly PlantedBug[] = [
  wrongJournal("a message that was heard is forgotten by another attempt", (journal) => ({
    hear: async (entry, shown) => (journal.has(keyOf(entry)) ? [] : journal.hear(entry, shown)),
  })),
  {
    name: "a message is for the lane alone that heard it first",
    store: (store, { runs }) => ({
      ...store,
      hear: async (lease, head, shown) => {
        const there = runs.get(lease.runId)?.messages ?? [];
        const known = there.filter(({ consumedIteration }) => consumedIteration !== null).map(({ id }) => id);
        const heard = await store.hear(lease, head, shown);
        return heard === "lost" ? heard : heard.filter(({ id }) => !known.includes(id));
      },
    }),
  },
  wrongJournal("messages are marked and not heard", (journal) => ({
    hear: async (entry, shown) => (await journal.hear(entry, shown)).slice(0, 0),
  })),
  wrongJournal("a session under way does not listen", () => ({ hear: async () => [] })),
  wrongJournal("the user's words last one iteration", (journal, { messages }) => ({
    once: (entry, work) =>
      journal.once(entry, async () => {
        const written = await work();
        if (!keyOf(entry).endsWith("opening")) return written;
        return { ...written, result: { said: messages.map(({ id }) => id) } as typeof written.result };
      }),
  })),
  wrongTx("a run is completed over what the user has just said", (tx) => {
    const hidden = new Map<string, number>();
    return {
      lockRun: async (runId) => {
        const locked = await tx.lockRun(runId);
        // A worker that takes a run sees it as it is.
        if (!locked?.isLeased) return locked;
        hidden.set(runId, locked.run.unreadMessages);
        return { ...locked, run: { ...locked.run, unreadMessages: 0 } };
      },
      save: (saved) => {
        const unreadMessages = saved.run.unreadMessages + (hidden.get(saved.run.id) ?? 0);
        return tx.save({ ...saved, run: { ...saved.run, unreadMessages } });
      },
    };
  }),
];

const holdBugs: readonly PlantedBug[] = [
  wrongSave("holds do not grow", (saved) => ({ ...saved, run: { ...saved.run, holds: null } })),
  wrongSave("a hold has no bound", (saved) => ({
    ...saved,
    events: saved.events.map((event) =>
      event.type === "run_holding"
        ? { ...event, until_ms: event.until_ms + (saved.before.holds?.count ?? 0) * 900_000 }
        : event,
    ),
  })),
];

export const sessionBugs: readonly PlantedBug[] = [
  ...judgeBugs,
  ...cutOffBugs,
  refusedBug,
  ...messageBugs,
  ...holdBugs,
];
