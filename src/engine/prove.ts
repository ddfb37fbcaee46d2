// Runs the checks of a run against the store, and says of each what was seen, and in which of the run's own artifacts. They are
// looks at this moment and are not journaled: what was there before a crash or a pause proves nothing afterwards. A judge
// costs money, so it is asked last, and only where everything else is green.

import type { Database, Tx } from "../db/database.ts";
import type { ArtifactRef } from "../domain/plan/plan.ts";
import { judgePlan } from "../domain/plan/plan.ts";
import { adopt } from "../domain/run/adopt.ts";
import type { Check, CheckTarget, Proof } from "../domain/run/checks.ts";
import type { RunningRun } from "../domain/run/run.ts";
import { AppError } from "../lib/app-error.ts";
import type { EngineResult, Journal, Prover } from "../runs/engine-port.ts";
import { type FoundThing, findDocuments, findLink, findThings, isEntityKind } from "../store/check-store.ts";

type Worked = Extract<EngineResult, { kind: "worked" }>;
export type Seen = Pick<Proof, "isGreen" | "seen" | "artifacts">;

/** What some checks need besides the store. */
export type Witnesses = {
  /** Reads the run's documents against a rubric. */
  readonly judge?: (run: RunningRun, check: Check, journal: Journal<Tx>) => Promise<Seen>;
  /** Whether an address answers, asked like a tool would: nothing inside our network. */
  readonly answers?: (url: string, signal: AbortSignal) => Promise<Pick<Seen, "isGreen" | "seen">>;
};

export function storeProver(db: Database, witnesses: Witnesses = {}): Prover<Tx> {
  return {
    prove: async (run, result, journal) => {
      if (result.kind !== "worked") return { kind: "proven", proofs: [] };
      const { checks } = adopt(run, result).run;
      const proofs: Proof[] = [];
      const { iteration } = run.state;
      for (const { id: checkId, target } of checks.filter(({ target }) => target.kind !== "judge"))
        proofs.push({ checkId, iteration, ...(await lookSafely({ db, witnesses, journal }, run, result, target)) });
      const isWorthIt = proofs.every(({ isGreen }) => isGreen);
      for (const check of checks.filter(({ target }) => target.kind === "judge"))
        proofs.push({ checkId: check.id, iteration, ...(await judged(witnesses, run, check, journal, isWorthIt)) });
      const inOrder = checks.flatMap(({ id }) => proofs.find(({ checkId }) => checkId === id) ?? []);
      return { kind: "proven", proofs: inOrder };
    },
  };
}

async function judged(
  { judge }: Witnesses,
  run: RunningRun,
  check: Check,
  journal: Journal<Tx>,
  isWorthIt: boolean,
): Promise<Seen> {
  if (judge === undefined) return red("this installation has no judge");
  return isWorthIt ? judge(run, check, journal) : red("not asked yet: other checks are red");
}

type Looking = { readonly db: Database; readonly witnesses: Witnesses; readonly journal: Journal<Tx> };

/** In a transaction of its own: one that cannot be run is red, and takes no other with it. */
async function lookSafely(
  { db, witnesses, journal }: Looking,
  run: RunningRun,
  result: Worked,
  target: CheckTarget,
): Promise<Seen> {
  try {
    if (target.kind === "http_ok" && witnesses.answers)
      return { ...(await witnesses.answers(target.url, journal.signal)), artifacts: [] };
    return await db.asUser({ userId: run.userId }, (tx) => look(tx, run, result, target));
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === "database_unavailable") throw thrown;
    return red(`it could not be run: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}

const red = (seen: string): Seen => ({ isGreen: false, seen, artifacts: [] });
const own = (things: readonly FoundThing[]): readonly ArtifactRef[] =>
  things.filter(({ isOfRun }) => isOfRun).map(({ kind, id }) => ({ kind, id }));

async function look(tx: Tx, run: RunningRun, { plan }: Worked, target: CheckTarget): Promise<Seen> {
  switch (target.kind) {
    case "plan_complete": {
      const verdict = judgePlan(plan);
      const artifacts = plan.steps.flatMap(({ evidence }) => evidence);
      if (verdict.isComplete) return { isGreen: true, seen: `all ${plan.steps.length} steps are done`, artifacts };
      return red(verdict.open.length === 0 ? "there is no plan" : `open: ${verdict.open.join(", ")}`);
    }
    case "entity_exists": {
      if (!isEntityKind(target.entity)) return red(`there are no things of kind ${target.entity}`);
      const found = await findThings(tx, run.id, target.entity, {
        titleLike: target.titleLike,
        projectIds: givenProjects(run),
      });
      const [first] = found;
      if (!first) return red(`no ${target.entity} is called like "${target.titleLike}"`);
      return { isGreen: true, seen: `${nameOf(first, target.entity)} is there`, artifacts: own(found) };
    }
    case "entity_count": {
      if (!isEntityKind(target.entity)) return red(`there are no things of kind ${target.entity}`);
      const found = await findThings(tx, run.id, target.entity, { ownAtMost: target.atLeast });
      const seen = `${found.length} of ${target.atLeast} of kind ${target.entity} are this run's`;
      return { isGreen: found.length >= target.atLeast, seen, artifacts: own(found) };
    }
    case "entity_state":
      return entityState(tx, run, target);
    case "document_has":
      return documentHas(tx, run, target);
    case "link_exists": {
      const found = await findLink(tx, run.id, target);
      return found
        ? { isGreen: true, seen: `it is linked (${target.rel})`, artifacts: own([found]) }
        : red("no such link");
    }
    default:
      return red(`this installation cannot run checks of kind ${target.kind} yet`);
  }
}

/** Titles that others gave are not repeated: what was seen stands in the planner's prompt. */
const nameOf = ({ isOfRun, title }: FoundThing, kind: string): string =>
  isOfRun ? `${kind} "${title}"` : `the ${kind}`;

/** A check sees no more than the run: the planner chose its words, and reads what was seen. */
const givenProjects = ({ scope }: RunningRun): readonly string[] | null =>
  scope.kind === "global" ? null : scope.kind === "project" ? [scope.projectId] : scope.projectIds;

async function entityState(tx: Tx, run: RunningRun, target: CheckTarget & { kind: "entity_state" }): Promise<Seen> {
  for (const kind of ["task", "goal", "plan", "milestone", "document"] as const) {
    const [found] = await findThings(tx, run.id, kind, { id: target.entityId });
    if (found)
      return {
        isGreen: found.state === target.state,
        seen: `${nameOf(found, kind)} is ${found.state}`,
        artifacts: own([found]),
      };
  }
  return red("there is no such thing, or its user may not see it");
}

async function documentHas(tx: Tx, run: RunningRun, target: CheckTarget & { kind: "document_has" }): Promise<Seen> {
  const found = await findDocuments(tx, run.id, target.documentId, target.titleLike);
  const called = target.titleLike === "" ? "" : ` called like "${target.titleLike}"`;
  if (found.length === 0) return red(`there is no such document of this run${called}`);
  const text = found.map(({ content }) => content).join("\n\n");
  const words = text.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length;
  const sources = new Set(text.match(/https?:\/\/[^\s)>\]"']+/g) ?? []).size;
  const headings = new Set(
    text.split("\n").flatMap((line) => /^#{1,6}\s+(.*?)\s*#*\s*$/.exec(line)?.[1]?.toLowerCase() ?? []),
  );
  const missing = target.headings.filter((heading) => !headings.has(heading.trim().toLowerCase()));
  const isGreen = words >= target.wordsAtLeast && sources >= target.sourcesAtLeast && missing.length === 0;
  const seen = [
    `${words} of ${target.wordsAtLeast} words`,
    `${sources} of ${target.sourcesAtLeast} sources`,
    ...(missing.length === 0 ? [] : [`without the headings ${missing.join(", ")}`]),
  ].join(", ");
  return { isGreen, seen, artifacts: own(found) };
}
