// An engine whose model is chance: sessions of several answers with tools in between, executors at once, and a summary in
// the end. What a provider's fault leads to is decided by the product's own code.

import { errorFingerprint, toIterationError } from "../../src/domain/run/gate/fingerprint.ts";
import { type Engine, type IterationInput, untilInterrupted, type Worked } from "../../src/runs/ports/engine.ts";
import { platformLane } from "../../src/runs/ports/run-store.ts";
import { makeClaim, makeQuestion, makeStep } from "../helpers/make-run.ts";
import type { Backend } from "./backend.ts";
import { type Outside, Simulated } from "./provider.ts";
import { type RanSession, runPlanner } from "./session.ts";
import { askSimulated, type ModelsBug } from "./simulated-models.ts";
import type { End } from "./think.ts";
import type { Actor, World } from "./world.ts";

/** What the simulated parts of a worker share. */
export type Playing<Writes> = {
  readonly world: World;
  readonly actor: Actor;
  readonly outside: Outside;
  readonly backend: Backend<Writes>;
  readonly modelsBug?: ModelsBug | undefined;
};

export function simulatedEngine<Writes>(playing: Playing<Writes>): Engine<Writes> {
  const { world } = playing;
  return {
    iterate: (input, journal) =>
      untilInterrupted(journal.signal, async () => {
        const work = { ...playing, modelsBug: playing.modelsBug, input, journal, run: input.run };
        const ran = await runPlanner(work);
        if (world.faults.strikes("engine_throws")) throw new Simulated("the engine fell over");
        return endOf(input, ran);
      }),
    narrate: ({ run, status }, journal) =>
      untilInterrupted(journal.signal, async () => {
        const asker = { ...playing, modelsBug: playing.modelsBug, journal, run };
        const messages = [{ role: "user", text: `It is ${status}.` }] as const;
        const asked = await askSimulated(asker, { key: "report", role: "summary", lane: platformLane, messages });
        const text = asked.ok && asked.value.kind === "answered" ? asked.value.answer.text : null;
        return { kind: "narrated", text };
      }),
  };
}

/** Words, because fingerprints forget numbers. */
const word = (number: number): string => String.fromCharCode(97 + (number % 26), 97 + (Math.floor(number / 26) % 26));

function endOf({ run, messages }: IterationInput, { end, said, calls, heard }: RanSession): Worked {
  const { iteration } = run.state;
  if (said === "throw") throw new Simulated(`the engine failed in ${word(iteration)}`);
  const step = makeStep({ id: `step_${iteration}`, title: `Step ${iteration}`, lastIteration: iteration });
  const hasFailed = end.kind === "failed" || said === "error";
  return {
    kind: "worked",
    summary: `made ${calls} calls in iteration ${iteration}`,
    claim: claimOf(said),
    closing: null,
    wasCutOff: end.kind !== "ended",
    heard: messages.length + heard,
    questions: said === "ask" ? [makeQuestion({ id: `question_${iteration}` })] : [],
    plan: { steps: [...run.plan.steps.filter(({ id }) => id !== step.id), step] },
    proposed: null,
    actions: errorFingerprint(said === "same_again" ? "the same" : `did ${word(iteration)}`),
    error: hasFailed ? toIterationError(end.kind === "failed" ? end.why : "it went wrong") : null,
    hasToolMiss: said === "tool_miss",
  };
}

function claimOf(said: End | null) {
  if (said === "claim") return makeClaim();
  return said === "against" ? makeClaim({ exitSignal: false, remainingWork: ["the rest"] }) : null;
}
