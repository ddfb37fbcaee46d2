// Whether a proposal of deliverables and checks is sound. The planner alone can only add; after the user said something it may
// also lower or drop, with a reason, and adopt.ts decides what of that the user has to approve. Every problem is a sentence that the planner can act on, and nothing is cut off silently.

import type { Proposal } from "../iteration-result.ts";
import { runLimits } from "../limits.ts";
import type { Run } from "../run.ts";
import type { Check, Deliverable } from "./check.ts";
import { cannotCheck } from "./check-problem.ts";
import { hasSubstance, isUsersMeasure, wordsOfSubstance } from "./evidence.ts";

export type JudgedProposal =
  | { readonly ok: true; readonly proposal: Proposal }
  | { readonly ok: false; readonly problems: readonly string[] };

type Measured = Pick<Run, "engine" | "checks" | "deliverables">;

/** `mayLower`: the user has said something that may change what is wanted (`mayLowerChecks`). */
export function judgeProposal(run: Measured, proposal: Proposal, mayLower: boolean): JudgedProposal {
  const named = new Set(proposal.checks.map(({ id }) => id));
  // A check that is dropped and named again is replaced.
  const drops = [...new Set(proposal.drops)].filter((id) => !named.has(id));
  const tidy = { ...proposal, checks: proposal.checks.map(asPlanners), drops };
  const problems = [
    ...findEmpty(tidy),
    ...findTwins(tidy),
    ...findRenamed(run, tidy, mayLower),
    ...findDrops(run, tidy, mayLower),
    ...findWrongChecks(run, tidy, mayLower),
    ...(isLowering(run, tidy) && tidy.why.trim() === ""
      ? ["Say in why what the user said that asks for the change: it is kept and shown to the user."]
      : []),
    ...findAfterwards(applyProposal(run, tidy)),
  ];
  return problems.length === 0 ? { ok: true, proposal: tidy } : { ok: false, problems: [...new Set(problems)] };
}

/** A planner cannot pass its own check off as the user's. */
const asPlanners = (check: Check): Check => ({ ...check, givenBy: "planner" });

/** Whether it takes something away or changes it, instead of only adding. */
export function isLowering(run: Pick<Run, "checks" | "deliverables">, proposal: Proposal): boolean {
  const { deliverables, checks, drops } = proposal;
  return (
    drops.length > 0 ||
    checks.some((check) => isChange(run.checks, check)) ||
    deliverables.some((each) => findRename(run, each) !== null)
  );
}

/** The deliverable as it was promised, where it would get another title: the judge reads for that title. */
export function findRename(
  { deliverables }: Pick<Run, "deliverables">,
  { id, title }: Deliverable,
): Deliverable | null {
  return deliverables.find((each) => each.id === id && each.title.trim() !== title.trim()) ?? null;
}

/** Deliverables and checks as they would be. A deliverable goes with the last of its checks. */
export function applyProposal<R extends Measured>(run: R, { deliverables, checks, drops }: Proposal): R {
  const changed = new Map(checks.map((check) => [check.id, check]));
  const stay = run.checks.filter(({ id }) => !drops.includes(id) || changed.has(id));
  const known = new Set(stay.map(({ id }) => id));
  const after = [
    ...stay.map((check) => {
      const wanted = changed.get(check.id);
      return wanted === undefined || check.givenBy === "platform" ? check : { ...wanted, givenBy: check.givenBy };
    }),
    ...checks.filter(({ id }) => !known.has(id)),
  ];
  const gone = run.deliverables.filter(({ id }) => isGone(id, run, after, deliverables)).map(({ id }) => id);
  const titles = new Map([...run.deliverables, ...deliverables].map((each) => [each.id, each]));
  return {
    ...run,
    deliverables: [...titles.values()].filter(({ id }) => !gone.includes(id)),
    checks: after.filter(({ deliverableId }) => deliverableId === null || !gone.includes(deliverableId)),
  };
}

function isGone(id: string, run: Measured, after: readonly Check[], named: readonly Deliverable[]): boolean {
  const isOwn = (check: Check) => check.deliverableId === id && check.givenBy !== "platform";
  return run.checks.some(isOwn) && !after.some(isOwn) && !named.some((each) => each.id === id);
}

function isChange(known: readonly Check[], check: Check): boolean {
  const old = known.find(({ id }) => id === check.id);
  return old !== undefined && JSON.stringify(normal(old)) !== JSON.stringify(normal(check));
}

const normal = ({ deliverableId, target }: Check) => [deliverableId, Object.entries(target).sort()];

const findEmpty = ({ deliverables, checks, drops }: Proposal): readonly string[] =>
  deliverables.length + checks.length + drops.length === 0
    ? ["Nothing is proposed: name at least one deliverable and a check for it."]
    : [];

function findTwins({ deliverables, checks }: Proposal): readonly string[] {
  const twins = (ids: readonly string[]) => ids.filter((id, at) => ids.indexOf(id) !== at);
  return [...twins(deliverables.map(({ id }) => id)), ...twins(checks.map(({ id }) => id))].map(
    (id) => `The id "${id}" stands there twice: give each its own.`,
  );
}

function findRenamed(run: Measured, { deliverables }: Proposal, mayLower: boolean): readonly string[] {
  if (mayLower) return [];
  return deliverables
    .flatMap((each) => findRename(run, each) ?? [])
    .map(
      ({ id, title }) =>
        `The deliverable "${id}" stays “${title}”: deliverables are renamed only after the user said something new.`,
    );
}

function findDrops({ checks }: Measured, { drops }: Proposal, mayLower: boolean): readonly string[] {
  return drops.flatMap((id) => {
    const check = checks.find((each) => each.id === id);
    if (check === undefined) return [`There is no check "${id}" to drop.`];
    if (check.givenBy === "platform")
      return [`The check "${id}" is the platform's: it goes by itself once its deliverable has no other check.`];
    return mayLower ? [] : [`The check "${id}" stays: checks are dropped only after the user said something new.`];
  });
}

function findWrongChecks(run: Measured, { deliverables, checks }: Proposal, mayLower: boolean): readonly string[] {
  const named = new Set([...run.deliverables, ...deliverables].map(({ id }) => id));
  const platforms = new Set(run.checks.filter(({ givenBy }) => givenBy === "platform").map(({ id }) => id));
  return checks.flatMap((check) => {
    const { id, deliverableId, target } = check;
    const isUsers = run.checks.some((known) => known.id === id && known.givenBy === "user");
    const problem = cannotCheck(run.engine, target);
    return [
      ...(problem === null ? [] : [`The check "${id}": ${problem}`]),
      ...(platforms.has(id) || id.startsWith("judge:")
        ? [`The id "${id}" is the platform's: choose another for your check.`]
        : []),
      ...((deliverableId !== null && named.has(deliverableId)) || isUsers
        ? []
        : [`The check "${id}" belongs to no deliverable: name one of ${[...named].join(", ") || "yours"}.`]),
      ...(!mayLower && isChange(run.checks, check)
        ? [
            `The check "${id}" is there already and stays as it is: checks change only after the user said something new.`,
          ]
        : []),
    ];
  });
}

/** What has to hold once it is adopted. */
function findAfterwards({ deliverables, checks }: Measured): readonly string[] {
  const { deliverables: most, checks: mostChecks } = { deliverables: runLimits.deliverables, checks: runLimits.checks };
  return [
    ...(deliverables.length > most ? [`There may be ${most} deliverables at most: merge some.`] : []),
    // The user's own are counted where the run is handed over: they leave room for what the planner has to add.
    ...(checks.filter(({ givenBy }) => givenBy === "planner").length > mostChecks
      ? [`There may be ${mostChecks} checks at most: leave some out.`]
      : []),
    ...(deliverables.length === 0 && !checks.some(isUsersMeasure)
      ? ["Nothing would be left to deliver: name at least one deliverable."]
      : []),
    ...deliverables
      .filter(({ id }) => !checks.some((check) => check.deliverableId === id && hasSubstance(check)))
      .map(
        ({ id }) =>
          `The deliverable "${id}" has no check that measures it. For a document add document_has with at least ` +
          `${wordsOfSubstance} words, a heading or a source; for tasks, goals, plans or milestones add entity_count.`,
      ),
  ];
}
