// One run of three iterations through the real loop, over whatever keeps it: notes, writes, an answer of a model, an effect, a
// message. Its process may die once, before or after one verb of the store; another one goes on, and the end has to be the same.

import { steer } from "../../src/domain/run/commands.ts";
import type { Run } from "../../src/domain/run/run.ts";
import { type LoopDeps, runIterationJob } from "../../src/loop/run-iteration-job.ts";
import { realEnv } from "../../src/main/env.ts";
import type { LoopStore } from "../../src/runs/loop-store.ts";
import {
  type Engine,
  type IterationInput,
  type Journal,
  untilInterrupted,
  type Worked,
} from "../../src/runs/ports/engine.ts";
import { makeClaim } from "../helpers/make-run.ts";
import { scriptedProver } from "../helpers/scripted-engine.ts";
import type { Keeper } from "./loop-keepers.ts";

export type GoldenOptions = {
  /** Odd numbers are before a verb, even ones after it. */
  readonly diesAt?: number;
  /** What else is thrown by a process that dies. */
  readonly isCrash?: (thrown: unknown) => boolean;
};

export type GoldenEnd = {
  readonly status: string;
  readonly iteration: number;
  readonly written: readonly string[];
  readonly said: readonly string[];
  readonly toolCalls: number;
  readonly unread: number;
};

export type PlayedGolden = { readonly end: GoldenEnd; readonly verbs: number; readonly diedAt: string | null };

/** More attempts than a run of three iterations with one death can need. */
const roundsMax = 10;

export async function playGolden<Writes>(
  keeper: Keeper<Writes>,
  { diesAt, isCrash = () => false }: GoldenOptions,
): Promise<PlayedGolden> {
  const run = await keeper.create();
  const seen: { verbs: number; diedAt: string | null; readonly said: Set<string>; hasSpoken: boolean } = {
    verbs: 0,
    diedAt: null,
    said: new Set(),
    hasSpoken: false,
  };
  for (let round = 0; round < roundsMax; round++) {
    const { state } = await keeper.find(run);
    if (state.status === "completed" || state.status === "stopped") break;
    if (state.iteration === 2 && !seen.hasSpoken) {
      await keeper.command(run, (now) => steer(now, "be brief"));
      seen.hasSpoken = true;
    }
    const runs = mortal(keeper.open(), seen, diesAt ?? 0);
    const deps = {
      runs,
      engineFor: () => ({
        engine: goldenEngine(keeper, seen.said),
        prover: scriptedProver<Writes>(),
        workFolder: null,
      }),
      newId: realEnv.newId,
      now: realEnv.now,
    };
    await workOnce(keeper, run, deps).catch((thrown: unknown) => {
      if (!(thrown instanceof Died) && !isCrash(thrown)) throw thrown;
    });
  }
  const { state, spent, unreadMessages: unread } = await keeper.find(run);
  const { status, iteration } = state;
  const written = await keeper.listWritten(run);
  const end = { status, iteration, written, said: [...seen.said], toolCalls: spent.toolCalls, unread };
  return { end, verbs: seen.verbs, diedAt: seen.diedAt };
}

async function workOnce<Writes>(keeper: Keeper<Writes>, run: Run, deps: LoopDeps<Writes>): Promise<void> {
  const job = await keeper.fetch(run);
  if (job === null) throw new Error("nothing is due");
  await runIterationJob(deps, job, new AbortController().signal);
}

class Died extends Error {}

/** Once dead, it answers nothing any more. */
function mortal<Writes>(
  store: LoopStore<Writes>,
  seen: { verbs: number; diedAt: string | null },
  diesAt: number,
): LoopStore<Writes> {
  let isDead = false;
  const at = (point: number, where: string) => {
    if (point === diesAt && seen.diedAt === null) {
      isDead = true;
      seen.diedAt = where;
    }
    if (isDead) throw new Died(where);
  };
  return new Proxy(store, {
    get: (target, name) => {
      const verb = Reflect.get(target, name) as (...args: readonly unknown[]) => Promise<unknown>;
      return async (...args: readonly unknown[]) => {
        if (isDead) throw new Died("dead");
        seen.verbs += 1;
        const number = seen.verbs;
        at(2 * number - 1, `before ${String(name)} ${number}`);
        const result = await verb.apply(target, args as unknown[]);
        at(2 * number, `after ${String(name)} ${number}`);
        return result;
      };
    },
  });
}

function goldenEngine<Writes>(keeper: Keeper<Writes>, said: Set<string>): Engine<Writes> {
  const note = (journal: Journal<Writes>, key: string) =>
    journal.once(key, async () => ({ result: key, summary: key, artifacts: [] }));
  const write = (journal: Journal<Writes>, run: Run, name: string) =>
    journal.write(`write:${name}`, async (writes) => {
      await keeper.write(writes, run, name);
      return { result: name, summary: name, artifacts: [{ kind: "document", id: name }] };
    });
  const ask = (journal: Journal<Writes>, key: string) =>
    journal.ask({ key, role: "planner", model: "none", reservedMicroUsd: 9 }, async () => ({
      result: key,
      usage: "unknown",
      isKept: true,
    }));
  return {
    iterate: (input, journal) =>
      untilInterrupted(journal.signal, async () => {
        const { run, messages } = input;
        for (const { text } of messages) said.add(text);
        await ask(journal, "llm:0");
        switch (run.state.iteration) {
          case 1:
            await note(journal, "note:1");
            await write(journal, run, "one");
            return toWorked(input, false);
          case 2:
            await journal.effect("sent", true, async () => ({ n: 1 }));
            for (const { text } of await journal.hear(
              "heard:1",
              messages.map(({ id }) => id),
            ))
              said.add(text);
            await ask(journal, "llm:1");
            return toWorked(input, false);
          default:
            await write(journal, run, "two");
            return toWorked(input, true);
        }
      }),
  };
}

const toWorked = ({ run, messages }: IterationInput, isDone: boolean): Worked => ({
  kind: "worked",
  summary: `did iteration ${run.state.iteration}`,
  claim: isDone ? makeClaim() : null,
  closing: null,
  wasCutOff: false,
  heard: messages.length,
  questions: [],
  plan: run.plan,
  proposed: null,
  actions: null,
  error: null,
  hasToolMiss: false,
});
