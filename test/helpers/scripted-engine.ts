// An engine without a model: a script says what each iteration does. It goes through the journal like a real one, so that
// crashes, fences and money are those of the product.

import type { Proof } from "../../src/domain/run/checks/check.ts";
import { errorFingerprint } from "../../src/domain/run/gate/fingerprint.ts";
import {
  type Engine,
  type Interruption,
  type IterationInput,
  type Journal,
  type Prover,
  untilInterrupted,
  type Worked,
} from "../../src/runs/ports/engine.ts";
import { makeClaim } from "./make-run.ts";

/** What one iteration does. */
export type ScriptedIteration = {
  /** Model calls, each with what it costs and the most it could. */
  readonly calls?: readonly { readonly costMicroUsd: number; readonly reservedMicroUsd: number }[];
  /** How many steps that work something out. */
  readonly notes?: number;
  /** Titles of what it writes. */
  readonly writes?: readonly string[];
  readonly ends?: Partial<Worked> | Extract<Interruption, { kind: "held" }>;
};

export type Script = (input: IterationInput) => ScriptedIteration;

export type WriteThing<Writes> = (
  writes: Writes,
  input: IterationInput,
  title: string,
) => Promise<{ readonly kind: string; readonly id: string }>;

/** Ends the run at this iteration, with a claim. */
export const untilIteration =
  (last: number, each: ScriptedIteration = { notes: 1 }): Script =>
  ({ run }) =>
    run.state.iteration < last ? each : { ...each, ends: { claim: makeClaim() } };

export function scriptedEngine<Writes>(script: Script, writeThing: WriteThing<Writes>): Engine<Writes> {
  return {
    iterate: (input, journal) =>
      untilInterrupted(journal.signal, async () => {
        const { calls = [], notes = 0, writes = [], ends = {} } = script(input);
        for (const [n, call] of calls.entries()) await askModel(journal, n, call);
        for (let n = 0; n < notes; n++)
          await journal.once(`note:${n}`, async () => ({ result: { n }, summary: `note ${n}`, artifacts: [] }));
        for (const [n, title] of writes.entries())
          await journal.write(`write:${n}`, async (to) => {
            const made = await writeThing(to, input, title);
            return { result: made, summary: title, artifacts: [made] };
          });
        if (ends.kind === "held") return ends;
        return { ...nothingSpecial(input), ...ends };
      }),
  };
}

function askModel<Writes>(
  journal: Journal<Writes>,
  n: number,
  { costMicroUsd, reservedMicroUsd }: { costMicroUsd: number; reservedMicroUsd: number },
): Promise<unknown> {
  return journal.ask({ key: `llm:${n}`, role: "planner", model: "scripted", reservedMicroUsd }, async () => ({
    result: { n },
    usage: { costMicroUsd, inputTokens: 10, cachedTokens: 0, writtenTokens: 0, outputTokens: 5, pricedBy: "table" },
    isKept: true,
  }));
}

const nothingSpecial = ({ run }: IterationInput): Worked => ({
  kind: "worked",
  summary: `did iteration ${run.state.iteration}`,
  claim: null,
  closing: null,
  wasCutOff: false,
  heard: 0,
  questions: [],
  plan: run.plan,
  proposed: null,
  actions: errorFingerprint(`iteration ${String.fromCharCode(97 + (run.state.iteration % 26))}`),
  error: null,
  hasToolMiss: false,
});

/** Says of every check what the script wants; by default they are green as soon as something is claimed. */
export function scriptedProver<Writes>(isGreen: (result: Worked) => boolean = hasClaim): Prover<Writes> {
  return {
    prove: async (run, result) => {
      const proofs = run.checks.map(
        (check): Proof => ({
          checkId: check.id,
          isGreen: isGreen(result),
          seen: isGreen(result) ? "it is there" : "it is not there yet",
          artifacts: [{ kind: "document", id: "made" }],
          iteration: run.state.iteration,
        }),
      );
      return { kind: "proven", proofs };
    },
  };
}

const hasClaim = (result: Worked) => result.claim !== null;
