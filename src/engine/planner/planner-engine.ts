// One iteration of the planner engine: open the workspace, run the planner's session, write down what came of it, and report.
// Whether the run goes on is not decided here.

import type { Tx } from "../../db/database.ts";
import type { ArtifactRef } from "../../domain/plan/plan.ts";
import { clip, shortenDeep } from "../../domain/planner/clip.ts";
import { type Action, actionFingerprint, toIterationError } from "../../domain/run/gate/fingerprint.ts";
import type { IterationError } from "../../domain/run/iteration-result.ts";
import type { RunId } from "../../domain/run/run.ts";
import {
  type Engine,
  type IterationInput,
  type Journal,
  untilInterrupted,
  type Worked,
} from "../../runs/ports/engine.ts";
import { madeByRun, madeUnderTitle } from "../../store/workspace/planner-store.ts";
import { narrate } from "../narrate.ts";
import type { LoopEnd } from "../tool-loop.ts";
import { buildView } from "./build-view.ts";
import { readProse, toClaim, toClosing } from "./claim.ts";
import type { Iteration, PlannerDeps } from "./iteration.ts";
import { keepMemory } from "./keep-memory.ts";
import { openIteration } from "./open-iteration.ts";
import { gatherQuestions } from "./questions.ts";
import { type RanSession, runSession } from "./run-session.ts";
import type { SessionState } from "./session-state.ts";

export function plannerEngine(deps: PlannerDeps): Engine<Tx> {
  return {
    iterate: (input, journal) => untilInterrupted(journal.signal, () => iterate(deps, input, journal)),
    narrate: (ended, journal) => narrate(deps, ended, journal),
  };
}

async function iterate(deps: PlannerDeps, input: IterationInput, journal: Journal<Tx>): Promise<Worked> {
  const { it, decidedWrites } = await openIteration(deps, input, journal);
  const view = await buildView(it, decidedWrites);
  return concludeSession(it, await runSession(it, view));
}

async function concludeSession(it: Iteration, ran: RanSession): Promise<Worked> {
  const { session, end } = ran;
  const { ended } = session;
  const summary = summarise(session, end);
  const questions = await gatherQuestions(it, session);
  await keepMemory(it, session, summary, questions);
  const { run, db } = it;
  const primary = await db.asUser({ userId: run.userId }, (tx) => findPrimary(tx, run.id, ended?.primary_output ?? ""));
  return {
    kind: "worked",
    summary,
    claim: toClaim(session) ?? (end.kind === "ended" ? readProse(end.text) : null),
    closing: toClosing(ended, session.answer === null ? primary : { kind: "document", id: session.answer.id }),
    wasCutOff: end.kind !== "ended",
    heard: it.heard + session.heard.length,
    questions: questions.map(({ grants: _, ...question }) => question),
    plan: session.plan,
    proposed: session.proposed,
    actions: actionFingerprint(session.actions.map(withShortArgs)),
    error: findError(session, end),
    hasToolMiss: session.hasMiss || it.noticed.missedTools.size > 0,
  };
}

/** Long texts are told by their beginning and length: the fingerprint is kept beside the run. */
const actionTextMax = 120;
const withShortArgs = (action: Action): Action => ({ ...action, args: shortenDeep(action.args, actionTextMax) });

/** By its id, or by its title: a model that ends in the answer in which it writes does not know the id yet. */
async function findPrimary(tx: Tx, runId: RunId, named: string): Promise<ArtifactRef | null> {
  const name = named.trim();
  if (name === "") return null;
  const found = (await madeByRun(tx, runId, [name]))[0] ?? (await madeUnderTitle(tx, runId, name));
  return found && { kind: found.kind, id: found.id };
}

/** The session could not go on, or everything that was tried failed: then the iteration has failed, whatever is said of it. */
function findError({ calls, failures, made }: SessionState, end: LoopEnd): IterationError | null {
  if (end.kind === "failed") return toIterationError(end.why);
  const hasDoneNothing = failures.length > 0 && made.length === 0 && calls.every(({ ok }) => !ok);
  return hasDoneNothing ? toIterationError([...failures].sort().join(" | ")) : null;
}

const summaryMax = 2_000;

function summarise({ ended, calls, reports }: SessionState, end: LoopEnd): string {
  const said = ended?.progress_summary.trim() ?? "";
  if (said !== "") return clip(said, summaryMax);
  if (end.kind === "failed") return clip(`The iteration failed: ${end.why}`, summaryMax);
  const did = `${calls.length} tool calls, ${reports.length} executors`;
  return end.kind === "silent" ? `Ended without a status (${end.why}): ${did}` : did;
}
