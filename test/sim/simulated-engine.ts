// An engine whose model is chance: the first call plans what the iteration does, and everything after follows from that
// answer. So an answer that is asked for twice, or a plan that is not replayed, leads to something else and is seen.

import type { Proof } from "../../src/domain/run/checks.ts";
import { errorFingerprint, toIterationError } from "../../src/domain/run/fingerprint.ts";
import type { Run } from "../../src/domain/run/run.ts";
import type { Engine, EngineResult, IterationInput, Journal, Prover } from "../../src/runs/engine-port.ts";
import { makeClaim, makeQuestion, makeStep } from "../helpers/make-run.ts";
import type { Backend } from "./backend.ts";
import { guardOf } from "./faulty-ports.ts";
import { type Outside, type Prompt, ProviderRefused, Simulated } from "./provider.ts";
import type { Random } from "./random.ts";
import type { Actor, World } from "./world.ts";

export type Piece =
  | { readonly kind: "note" | "write" | "effect" | "repeatable_effect" }
  | { readonly kind: "model" | "models_at_once"; readonly reservedMicroUsd: number };

/** What a model planned for one iteration. */
export type Planned = {
  /** What the prompt contained of the user's. */
  readonly heard: readonly string[];
  readonly pieces: readonly Piece[];
  readonly end: "go_on" | "claim" | "ask" | "throw" | "error" | "tool_miss" | "same_again";
};

/** What it is about, for one who works on an iteration. */
type Work<Writes> = {
  readonly actor: Actor;
  readonly outside: Outside;
  readonly backend: Backend<Writes>;
  readonly world: World;
  readonly input: IterationInput;
  readonly journal: Journal<Writes>;
};

export function simulatedEngine<Writes>(
  world: World,
  actor: Actor,
  outside: Outside,
  backend: Backend<Writes>,
): Engine<Writes> {
  return {
    iterate: async (input, journal) => {
      const work = { actor, outside, backend, world, input, journal };
      try {
        const planned = (await ask(work, "plan", 100)) as Planned;
        for (const [n, piece] of planned.pieces.entries()) await doPiece(work, piece, `piece:${n}`);
        if (world.faults.strikes("engine_throws")) throw new Simulated("the engine fell over");
        return endOf(input, planned);
      } catch (thrown) {
        if (thrown instanceof ProviderRefused) return { kind: "provider_fault", fault: thrown.fault };
        throw thrown;
      }
    },
  };
}

function ask<Writes>({ actor, outside, input, journal }: Work<Writes>, key: string, reservedMicroUsd: number) {
  const heard = key === "plan" ? input.signals.map(({ id }) => id) : [];
  const prompt: Prompt = { runId: input.run.id, iteration: input.run.state.iteration, key, reservedMicroUsd, heard };
  return journal.ask({ key, role: "planner", model: "chance", reservedMicroUsd }, (callId, signal) =>
    outside.call(actor, callId, prompt, signal),
  );
}

async function doPiece<Writes>(work: Work<Writes>, piece: Piece, key: string): Promise<void> {
  const { actor, outside, backend, world, input, journal } = work;
  const { run } = input;
  switch (piece.kind) {
    case "note":
      await journal.once(key, async () => ({ result: { noted: run.state.iteration }, summary: key, artifacts: [] }));
      return;
    case "write":
      await journal.write(key, async (writes) => {
        const id = world.random.id();
        await backend.write(writes, run, id, key);
        return { result: { id }, summary: key, artifacts: [{ kind: "document", id }] };
      });
      return;
    case "model":
      await ask(work, key, piece.reservedMicroUsd);
      return;
    case "models_at_once": {
      const both = await Promise.allSettled(
        ["a", "b"].map((each) => ask(work, `${key}:${each}`, piece.reservedMicroUsd)),
      );
      for (const each of both) if (each.status === "rejected") throw each.reason;
      return;
    }
    default: {
      const isRepeatable = piece.kind === "repeatable_effect";
      const op = `${run.id}:${run.state.iteration}:${key}`;
      await journal.effect(key, isRepeatable, (idempotencyKey) => outside.act(actor, op, idempotencyKey, isRepeatable));
    }
  }
}

/** Words, because fingerprints forget numbers. */
const word = (number: number): string => String.fromCharCode(97 + (number % 26), 97 + (Math.floor(number / 26) % 26));

function endOf({ run, signals }: IterationInput, { end, pieces }: Planned): EngineResult {
  const { iteration } = run.state;
  if (end === "throw") throw new Simulated(`the engine failed in ${word(iteration)}`);
  const step = makeStep({ id: `step_${iteration}`, title: `Step ${iteration}`, lastIteration: iteration });
  return {
    kind: "worked",
    summary: `did ${pieces.length} pieces in iteration ${iteration}`,
    claim: end === "claim" ? makeClaim() : null,
    closing: null,
    isSilent: end !== "claim",
    heard: signals.length,
    questions: end === "ask" ? [makeQuestion({ id: `question_${iteration}` })] : [],
    plan: { steps: [...run.plan.steps.filter(({ id }) => id !== step.id), step] },
    proposed: null,
    actions: errorFingerprint(end === "same_again" ? "the same" : `did ${word(iteration)}`),
    error: end === "error" ? toIterationError("it went wrong") : null,
    hasToolMiss: end === "tool_miss",
  };
}

/** How many documents a check asks for; the checker counts again. */
export function documentsAskedFor(run: Run): number {
  const [check] = run.checks;
  return check?.target.kind === "document_has" ? check.target.wordsAtLeast : Number.POSITIVE_INFINITY;
}

/** Green as soon as the run has written as many documents as were asked for. */
export function simulatedProver<Writes>(world: World, actor: Actor, backend: Backend<Writes>): Prover<Writes> {
  const guard = guardOf(world, actor);
  return {
    prove: async (run, _result, journal) => {
      const proofs = await journal.once("checks", async () => {
        const count = await guard("count documents", () => backend.countDocuments(run.id));
        const isGreen = count >= documentsAskedFor(run);
        const proofs = run.checks.map(
          ({ id }): Proof => ({
            checkId: id,
            isGreen,
            seen: `${count} documents`,
            artifacts: count > 0 ? [{ kind: "document", id: "some" }] : [],
            iteration: run.state.iteration,
          }),
        );
        return { result: proofs, summary: "looked at the checks", artifacts: [] };
      });
      return { kind: "proven", proofs };
    },
  };
}

const pieceKinds = [
  "note",
  "write",
  "write",
  "write",
  "effect",
  "effect",
  "repeatable_effect",
  "model",
  "models_at_once",
] as const;
const ends = ["go_on", "go_on", "go_on", "claim", "claim", "ask", "throw", "error", "tool_miss", "same_again"] as const;

/** A model that says anything. */
export const thinkAtRandom =
  (random: Random) =>
  ({ key, heard }: Prompt): unknown => {
    if (key !== "plan") return { said: random.below(1_000) };
    const pieces = Array.from({ length: random.below(4) }, (): Piece => {
      const kind = random.pick(pieceKinds);
      return kind === "model" || kind === "models_at_once"
        ? { kind, reservedMicroUsd: random.between(10, 90) }
        : { kind };
    });
    return { heard, pieces, end: random.pick(ends) } satisfies Planned;
  };
