// Runs the checks of a run against the store, and says of each what was seen, and in which of the run's own artifacts. They are
// looks at this moment and are not journaled: what was there before a crash or a pause proves nothing afterwards. A judge
// costs money, so it is asked last: once everything else is green and nothing is said to be left.

import type { Database, Tx } from "../db/database.ts";
import { adopt } from "../domain/run/checks/adopt.ts";
import type { Check, Proof } from "../domain/run/checks/check.ts";
import { notAskedYet } from "../domain/run/checks/not-asked.ts";
import { readStance } from "../domain/run/gate/claim.ts";
import type { CheckChange } from "../domain/run/report/report-shape.ts";
import type { NonEmpty, RunningRun } from "../domain/run/run.ts";
import { AppError } from "../lib/app-error.ts";
import {
  Interrupted,
  type Journal,
  type Proven,
  type Prover,
  untilInterrupted,
  type Worked,
} from "../runs/ports/engine.ts";
import { countUnread } from "../store/run-view/message-store.ts";
import { readContentStates } from "../store/workspace/content-state-store.ts";
import { lookAt, red, type Seen } from "./look-at.ts";

/** What some checks need besides the store. */
export type Witnesses = {
  /** Reads all work once for all checks that need a judge: which of it is read must not depend on what a model promised. */
  readonly judge?: (
    run: RunningRun,
    checks: NonEmpty<Check>,
    journal: Journal<Tx>,
    counted: readonly Proof[],
    /** What the iteration under way changes of the checks. */
    changing: readonly CheckChange[],
  ) => Promise<Seen>;
  /** What is looked at in the folder of a run that agents work on; null: it is not looked for there. */
  readonly inFolder?: (run: RunningRun, check: Check, journal: Journal<Tx>) => Promise<Seen | null>;
  /** Whether an address answers, asked like a tool would: nothing inside our network. */
  readonly answers?: (url: string, signal: AbortSignal) => Promise<Pick<Seen, "isGreen" | "seen">>;
};

export function storeProver(db: Database, witnesses: Witnesses = {}): Prover<Tx> {
  return {
    prove: (run, result, journal) =>
      untilInterrupted(journal.signal, () => prove({ db, witnesses, journal }, run, result)),
    readStates: (run, artifacts) => db.asUser({ userId: run.userId }, (tx) => readContentStates(tx, run.id, artifacts)),
  };
}

type Looking = { readonly db: Database; readonly witnesses: Witnesses; readonly journal: Journal<Tx> };

async function prove(looking: Looking, before: RunningRun, result: Worked): Promise<Proven> {
  const { run, changes, why } = adopt(before, result);
  const changing = changes.length === 0 ? [] : [{ changes, why, is_approved: false }];
  const { iteration } = run.state;
  const measured: Proof[] = [];
  for (const check of run.checks.filter(({ target }) => target.kind !== "judge"))
    measured.push({ checkId: check.id, iteration, ...(await lookSafely(looking, run, result, check)) });
  const tooEarly = whyNotYet(run, result, measured) ?? (await findUnread(looking, run));
  const [first, ...rest] = run.checks.filter(({ target }) => target.kind === "judge");
  const seen =
    first === undefined || tooEarly !== null
      ? red(`${notAskedYet}: ${tooEarly}`)
      : await askJudge(looking, { ...run, closing: result.closing }, [first, ...rest], measured, changing);
  const judged = (first === undefined ? [] : [first, ...rest]).map(({ id }) => ({ checkId: id, iteration, ...seen }));
  const proofs = [...measured, ...judged];
  return { kind: "proven", proofs: run.checks.flatMap(({ id }) => proofs.find(({ checkId }) => checkId === id) ?? []) };
}

/** Null: now is the time for a judge. */
function whyNotYet(
  { awaited }: RunningRun,
  { claim, questions, error }: Worked,
  measured: readonly Proof[],
): string | null {
  if (measured.some(({ isGreen }) => !isGreen)) return "other checks did not pass";
  if (error !== null) return "the iteration failed";
  if (questions.length > 0 || awaited !== null) return "the run has a question";
  return readStance(claim) === "against" ? "the planner says that work remains" : null;
}

/** What the user has just said may change what is wanted: a reading now would be a reading for nothing. */
async function findUnread({ db }: Looking, { id, userId }: RunningRun): Promise<string | null> {
  const count = await db.asUser({ userId }, (tx) => countUnread(tx, id));
  return count > 0 ? "the user has said something new" : null;
}

async function askJudge(
  { witnesses: { judge }, journal }: Looking,
  run: RunningRun,
  checks: NonEmpty<Check>,
  measured: readonly Proof[],
  changing: readonly CheckChange[],
): Promise<Seen> {
  if (judge === undefined) return red("this installation has no judge");
  try {
    return await judge(run, checks, journal, measured, changing);
  } catch (thrown) {
    // The journal remembers that it was refused, and the gate stops the run. What the other checks showed is still worth keeping.
    if (thrown instanceof Interrupted && thrown.by.kind === "refused")
      return red("the judge was not asked: the call could have crossed the limit of what the run may cost");
    throw thrown;
  }
}

/** In a transaction of its own: one that cannot be run is red, and takes no other with it. */
async function lookSafely(
  { db, witnesses, journal }: Looking,
  run: RunningRun,
  result: Worked,
  check: Check,
): Promise<Seen> {
  const { target } = check;
  try {
    const inFolder = await witnesses.inFolder?.(run, check, journal);
    if (inFolder) return inFolder;
    if (target.kind === "http_ok" && witnesses.answers)
      return { ...(await witnesses.answers(target.url, journal.signal)), artifacts: [] };
    return await db.asUser({ userId: run.userId }, (tx) => lookAt(tx, run, result.plan, target));
  } catch (thrown) {
    // What was aborted says nothing about the work.
    if (journal.signal.aborted || (thrown instanceof AppError && thrown.code === "database_unavailable")) throw thrown;
    return red(`it could not be run: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}
