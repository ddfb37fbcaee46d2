// Acceptance criteria and the proofs of the platform running them. A model's sentence is never a proof.
//
// A floor that no planner can lower: every deliverable has a check that looked at an artifact this run made or changed,
// and where all checks of a deliverable are weak (they only see that something is there), a judge has to agree as well.

import type { ArtifactRef } from "../plan/plan.ts";
import type { NonEmpty } from "./run.ts";

export type Deliverable = { readonly id: string; readonly title: string };

/** What the platform looks at. */
export type CheckTarget =
  | { readonly kind: "plan_complete" }
  | { readonly kind: "entity_exists"; readonly entity: string; readonly titleLike: string }
  | { readonly kind: "entity_count"; readonly entity: string; readonly atLeast: number }
  | { readonly kind: "entity_state"; readonly entityId: string; readonly state: string }
  | {
      readonly kind: "document_has";
      readonly documentId: string | null;
      /** Part of the title; empty: any. Not looked at where the document is named. */
      readonly titleLike: string;
      readonly headings: readonly string[];
      readonly wordsAtLeast: number;
      readonly sourcesAtLeast: number;
    }
  | { readonly kind: "link_exists"; readonly rel: string; readonly srcId: string; readonly dstId: string }
  | { readonly kind: "file_exists"; readonly path: string }
  | { readonly kind: "command_succeeds"; readonly program: string; readonly args: readonly string[] }
  | { readonly kind: "http_ok"; readonly url: string }
  | { readonly kind: "judge"; readonly rubric: string };

export type CheckKind = CheckTarget["kind"];

export type Check = {
  readonly id: string;
  /** What it stands for; null for one that is about the run as a whole. */
  readonly deliverableId: string | null;
  readonly target: CheckTarget;
  readonly givenBy: "user" | "planner" | "platform";
};

export type Proof = {
  readonly checkId: string;
  readonly isGreen: boolean;
  /** What was seen, in a sentence for people and for the planner. */
  readonly seen: string;
  /** Artifacts of this run that were looked at. */
  readonly artifacts: readonly ArtifactRef[];
  readonly iteration: number;
};

/** They see that something is there, not that it is good. */
const weakKinds: readonly CheckKind[] = [
  "plan_complete",
  "entity_exists",
  "entity_count",
  "link_exists",
  "file_exists",
];

/** Also a look at a document that asks nothing of it. */
export function isWeak({ target }: Check): boolean {
  if (target.kind !== "document_has") return weakKinds.includes(target.kind);
  return target.headings.length === 0 && target.wordsAtLeast === 0 && target.sourcesAtLeast === 0;
}

export type Evidence =
  | { readonly isEnough: true; readonly proofs: NonEmpty<Proof> }
  /** Why not, one sentence each, and the checks that said no. */
  | { readonly isEnough: false; readonly lacking: readonly string[]; readonly redCheckIds: readonly string[] };

/** `proofs` are those of this iteration, at most one for each check. */
export function weighEvidence(
  checks: readonly Check[],
  deliverables: readonly Deliverable[],
  proofs: readonly Proof[],
): Evidence {
  const byCheck = new Map(proofs.map((proof) => [proof.checkId, proof]));
  const red = checks.filter((check) => !byCheck.get(check.id)?.isGreen);
  const lacking = [
    ...red.map((check) => `${check.target.kind}: ${byCheck.get(check.id)?.seen ?? "was not looked at"}`),
    ...(checks.some((check) => check.target.kind !== "plan_complete")
      ? []
      : ["there is no check besides the plan itself"]),
    // Nothing was promised, and the user has asked for nothing that can be checked: then nobody can say what "done" is.
    ...(deliverables.length > 0 || checks.some(({ givenBy }) => givenBy === "user")
      ? []
      : ["no deliverable was named, and you gave no criterion"]),
    ...deliverables.flatMap((deliverable) => belowFloor(deliverable, checks, byCheck)),
  ];
  const [first, ...rest] = checks.flatMap((check) => byCheck.get(check.id) ?? []);
  if (lacking.length === 0 && first) return { isEnough: true, proofs: [first, ...rest] };
  return { isEnough: false, lacking, redCheckIds: red.map(({ id }) => id) };
}

function belowFloor(
  { id, title }: Deliverable,
  checks: readonly Check[],
  byCheck: ReadonlyMap<string, Proof>,
): readonly string[] {
  const own = checks.filter((check) => check.deliverableId === id);
  const green = own.filter((check) => byCheck.get(check.id)?.isGreen);
  const lookedAt = green.some((check) => (byCheck.get(check.id)?.artifacts.length ?? 0) > 0);
  if (!lookedAt) return [`"${title}": no check has looked at something this run made`];
  if (green.every(isWeak)) return [`"${title}": its checks only see that it is there, so a judge has to agree as well`];
  const hasOnlyJudges = green.every((check) => check.target.kind === "judge");
  return hasOnlyJudges ? [`"${title}": a judge alone is not enough`] : [];
}
