// What a run does in the chaos: model calls that cost, an effect outside, notes, documents written as the user; some runs ask
// a question, some are made to wait by their provider. What it does follows from the run's objective alone.

import { setTimeout as sleep } from "node:timers/promises";
import type { Tx } from "../../src/db/database.ts";
import type { Proposal } from "../../src/domain/run/iteration-result.ts";
import type { Run } from "../../src/domain/run/run.ts";
import type { Engine, IterationInput, Journal } from "../../src/runs/ports/engine.ts";
import { createEntity } from "../../src/store/entity/entity-store.ts";
import { makeCheck, makeClaim, makeQuestion } from "../helpers/make-run.ts";
import { type ScriptedIteration, scriptedEngine } from "../helpers/scripted-engine.ts";
import type { LedgerEntry } from "./call-ledger.ts";

/** How a run is told what it is: its number among all of them, and how many iterations it has. */
export type RunOrder = { readonly number: number; readonly iterations: number };

export const objectiveOf = ({ number, iterations }: RunOrder) => `Chaos run ${number} of ${iterations} iterations`;

export function orderOf(objective: string): RunOrder {
  const [, number, iterations] = /^Chaos run (\d+) of (\d+) iterations$/.exec(objective) ?? [];
  if (number === undefined || iterations === undefined) throw new Error(`not a run of the chaos: ${objective}`);
  return { number: Number(number), iterations: Number(iterations) };
}

export const writesEach = 2;
/** Unique for each write of each iteration of each run: written twice, it is seen twice. */
export const titleOf = (runId: string, iteration: number, n: number) => `${runId} iteration ${iteration} write ${n}`;

const callsEach = 2;
const reservedMicroUsd = 5_000;
/** Every fourth run asks, every third one is held once. */
const asksIn = 3;
const heldIn = 2;
const holdMs = 700;
const asksQuestion = ({ number, iterations }: RunOrder) => number % 4 === 0 && iterations > asksIn;

function scriptOf({ run, attempt }: IterationInput): ScriptedIteration {
  const order = orderOf(run.objective);
  const { iteration } = run.state;
  const each: ScriptedIteration = {
    calls: Array.from({ length: callsEach }, (_, n) => ({
      costMicroUsd: 100 + ((order.number * 31 + iteration * 7 + n) % 900),
      reservedMicroUsd,
    })),
    notes: 1,
    writes: Array.from({ length: writesEach }, (_, n) => titleOf(run.id, iteration, n)),
  };
  if (iteration === heldIn && attempt === 1 && order.number % 3 === 0)
    return {
      ...each,
      ends: { kind: "held", fault: { kind: "hold", untilMs: Date.now() + holdMs, why: "" } },
    };
  if (iteration === asksIn && asksQuestion(order)) return { ...each, ends: { questions: [makeQuestion()] } };
  if (iteration >= order.iterations) return { ...each, ends: { claim: makeClaim() } };
  return { ...each, ends: { proposed: proposal } };
}

const proposal: Proposal = {
  deliverables: [{ id: "report", title: "The pages" }],
  checks: [makeCheck()],
  drops: [],
  why: "",
};

async function writeDocument(tx: Tx, { run }: IterationInput, title: string) {
  const id = crypto.randomUUID();
  await createEntity(tx, "document", { id, projectId: projectOf(run), by: run.userId }, { title });
  return { kind: "document", id };
}

function projectOf({ scope }: Run): string {
  if (scope.kind !== "project") throw new Error("a run of the chaos has one project");
  return scope.projectId;
}

export function chaosEngine(count: (line: LedgerEntry) => void, callMs: number): Engine<Tx> {
  const scripted = scriptedEngine<Tx>(scriptOf, writeDocument);
  return {
    iterate: async (input, journal) => {
      await journal.effect("outside", false, async (key) => {
        count({ kind: "effect", key });
        await sleep(10);
        return null;
      });
      const result = await scripted.iterate(input, counted(journal, count, callMs));
      // Nothing is journaled any more and no abort is heard: only the fence keeps out whoever is frozen here.
      await sleep(callMs * Math.random());
      return result;
    },
  };
}

/** The same journal, with a provider that takes its time and counts by itself. */
function counted(journal: Journal<Tx>, count: (line: LedgerEntry) => void, callMs: number): Journal<Tx> {
  return {
    signal: journal.signal,
    has: (key) => journal.has(key),
    recall: (key) => journal.recall(key),
    hear: (entry, shown) => journal.hear(entry, shown),
    once: (entry, work) => journal.once(entry, work),
    write: (entry, work) => journal.write(entry, work),
    effect: (...args) => journal.effect(...args),
    startOrAdopt: (...args) => journal.startOrAdopt(...args),
    ask: (call, ask) =>
      journal.ask(call, async (callId, signal, tell) => {
        const answer = await ask(callId, signal, tell);
        const costMicroUsd = answer.usage === "unknown" ? call.reservedMicroUsd : answer.usage.costMicroUsd;
        count({ kind: "call", callId, costMicroUsd, reservedMicroUsd: call.reservedMicroUsd });
        await sleep(callMs * (0.2 + 1.6 * Math.random()), undefined, { signal });
        return answer;
      }),
  };
}
