// Whether the proofs of a run's checks are enough to call it done. A model's sentence is never a proof.
//
// A floor that no planner can lower: every deliverable has a check of substance that looked at something this run made or
// changed, and, unless the user switched the judge off, a judge has read it.

import { unreachable } from "../../../lib/assert.ts";
import type { NonEmpty, Run } from "../run.ts";
import type { Check, Deliverable, Proof } from "./check.ts";
import { nameCheck } from "./describe-check.ts";

/** Links are counted like things, though they have neither title nor state. */
export const linkEntity = "link";

/** Fewer words say nothing about a document; a heading or a source that is asked for does. */
export const wordsOfSubstance = 40;

/**
 * Whether it measures something that a run makes. A document is measured by what stands in it: that one is there, or that
 * there are several, says nothing. A judge is an opinion, and a plan is the run's own.
 */
export function hasSubstance({ target }: Check): boolean {
  switch (target.kind) {
    case "document_has":
      return (
        target.wordsAtLeast >= wordsOfSubstance ||
        target.sourcesAtLeast > 0 ||
        target.headings.some((each) => each.trim())
      );
    case "entity_exists":
    case "entity_count":
      return target.entity !== "document";
    case "entity_state":
    case "link_exists":
    case "file_exists":
    case "command_succeeds":
      return true;
    case "plan_complete":
    case "http_ok":
    case "judge":
      return false;
    default:
      return unreachable(target);
  }
}

/** The platform's judge of a deliverable, or, where the user alone said what is wanted, of the objective. */
export const judgeIdOf = (deliverableId: string): string => `judge:${deliverableId}`;
export const objectiveJudgeId = judgeIdOf("objective");

/** Something the user wants that can be measured without an opinion. */
export const isUsersMeasure = ({ givenBy, target }: Check): boolean =>
  givenBy === "user" && target.kind !== "judge" && target.kind !== "plan_complete";

export type Evidence =
  | { readonly isEnough: true; readonly proofs: NonEmpty<Proof> }
  /** Why not, one sentence each, and the checks that said no. */
  | { readonly isEnough: false; readonly lacking: readonly string[]; readonly redCheckIds: readonly string[] };

type Measured = Pick<Run, "checks" | "deliverables" | "isJudged">;

/** `proofs` are those of this iteration, at most one for each check. */
export function weighEvidence(run: Measured, proofs: readonly Proof[]): Evidence {
  const { checks, deliverables } = run;
  const byCheck = new Map(proofs.map((proof) => [proof.checkId, proof]));
  const red = checks.filter((check) => !byCheck.get(check.id)?.isGreen);
  // A judge that was not asked says nothing as long as something else is red.
  const isOnlyOpinion = red.every(({ target }) => target.kind === "judge");
  const named = isOnlyOpinion ? red : red.filter(({ target }) => target.kind !== "judge");
  const lacking = [
    ...named.map((check) => tellRed(check, byCheck.get(check.id))),
    // Nothing was promised, and the user has asked for nothing that can be measured: then nothing says what "done" is.
    ...(deliverables.length > 0 || checks.some(isUsersMeasure)
      ? []
      : ["no deliverable was named, and you gave no criterion that can be measured"]),
    ...deliverables.flatMap((deliverable) => belowFloor(deliverable, run, byCheck)),
  ];
  const [first, ...rest] = checks.flatMap((check) => byCheck.get(check.id) ?? []);
  if (lacking.length === 0 && first) return { isEnough: true, proofs: [first, ...rest] };
  return { isEnough: false, lacking, redCheckIds: named.map(({ id }) => id) };
}

/** A judge's own words say what they are about. */
function tellRed(check: Check, proof: Proof | undefined): string {
  if (proof === undefined) return `${nameCheck(check)} was not checked`;
  return check.target.kind === "judge" ? proof.seen : `${nameCheck(check)} did not pass: ${proof.seen}`;
}

/** Red checks are named elsewhere: this is about what was never asked for. */
function belowFloor({ id, title }: Deliverable, run: Measured, byCheck: ReadonlyMap<string, Proof>): readonly string[] {
  const own = run.checks.filter((check) => check.deliverableId === id);
  const measured = own.filter(hasSubstance);
  if (measured.length === 0) return [`"${title}": no check measures it`];
  const isOfRun = measured.some(({ id: checkId }) => {
    const proof = byCheck.get(checkId);
    return proof?.isGreen === false || (proof?.artifacts.length ?? 0) > 0;
  });
  if (!isOfRun) return [`"${title}": no check has looked at something this run made`];
  return run.isJudged && !own.some(({ target }) => target.kind === "judge") ? [`"${title}": no judge has read it`] : [];
}
