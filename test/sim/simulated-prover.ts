// Runs the checks of a simulated run: documents are counted, and a judge is asked through the journal once they are enough, as
// src/engine/prove.ts does it. What a fault of the judge leads to is written here a second time, on purpose.

import type { Check, Proof } from "../../src/domain/run/checks/check.ts";
import { readStance } from "../../src/domain/run/gate/claim.ts";
import type { Run, RunningRun } from "../../src/domain/run/run.ts";
import { Interrupted, type Journal, type Prover, untilInterrupted, type Worked } from "../../src/runs/ports/engine.ts";
import { guardOf } from "./faulty-ports.ts";
import type { Playing } from "./simulated-engine.ts";
import { askSimulated, toMessage } from "./simulated-models.ts";

/** How many documents a check asks for; the invariants count again. */
export function documentsAskedFor(run: Run): number {
  const [check] = run.checks;
  return check?.target.kind === "document_has" ? check.target.wordsAtLeast : Number.POSITIVE_INFINITY;
}

export const findJudge = (run: Run): Check | null => run.checks.find(({ target }) => target.kind === "judge") ?? null;

type Seen = Pick<Proof, "isGreen" | "seen" | "artifacts">;

/** Looks at this moment: only what the judge says is journaled. */
export function simulatedProver<Writes>(playing: Playing<Writes>): Prover<Writes> {
  const { world, actor, backend } = playing;
  const guard = guardOf(world, actor);
  return {
    prove: (run, result, journal) =>
      untilInterrupted(journal.signal, async () => {
        const count = await guard("count documents", () => backend.countDocuments(run.id));
        const isGreen = count >= documentsAskedFor(run);
        const artifacts = count > 0 ? [{ kind: "document", id: "some" }] : [];
        const counted: Seen = { isGreen, seen: `${count} documents`, artifacts };
        const judge = findJudge(run);
        const isAsked = judge !== null && !isTooEarly(result, isGreen);
        const said = isAsked ? await hearJudge(playing, run, judge, journal) : "not asked yet";
        const judged = said === "yes" ? { isGreen: true, seen: said, artifacts } : red(said);
        return { kind: "proven", proofs: toProofs(run, counted, judged) };
      }),
  };
}

const red = (seen: string): Seen => ({ isGreen: false, seen, artifacts: [] });

const isTooEarly = ({ claim, questions, error }: Worked, isGreen: boolean): boolean =>
  !isGreen || error !== null || questions.length > 0 || readStance(claim) === "against";

const toProofs = ({ checks, state: { iteration } }: RunningRun, counted: Seen, judged: Seen): readonly Proof[] =>
  checks.map(({ id, target }) => ({ checkId: id, iteration, ...(target.kind === "judge" ? judged : counted) }));

/** What it says, or that there is no money to ask it. */
async function hearJudge<Writes>(
  playing: Playing<Writes>,
  run: RunningRun,
  judge: Check,
  journal: Journal<Writes>,
): Promise<string> {
  try {
    return await askJudge(playing, run, judge, journal);
  } catch (thrown) {
    if (thrown instanceof Interrupted && thrown.by.kind === "refused") return "there is no money for the judge";
    throw thrown;
  }
}

/** After a misquote it is asked once more. */
async function askJudge<Writes>(
  playing: Playing<Writes>,
  run: RunningRun,
  { id }: Check,
  journal: Journal<Writes>,
): Promise<string> {
  const { world, actor, backend } = playing;
  const said = await guardOf(world, actor)("messages", () => backend.readMessages(run));
  const asker = { ...playing, modelsBug: playing.modelsBug, journal, run };
  const lane = { id: "judge", title: null };
  const question = { role: "judge", lane } as const;
  const text = `Is it done? ${said.map(toMessage).join(" ")}`;
  let answer = "misquoted";
  for (const [n, key] of [`judge:${id}`, `judge:${id}/again`].entries()) {
    if (answer !== "misquoted") break;
    const asked = await askSimulated(asker, { ...question, key, messages: [{ role: "user", text: `${text} ${n}` }] });
    answer = asked.ok && asked.value.kind === "answered" ? asked.value.answer.text : "could not be asked";
  }
  return answer;
}
