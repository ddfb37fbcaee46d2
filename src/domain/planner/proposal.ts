// What a planner promises, in the words of its answer, as the run keeps it. Whether it may be adopted is decided elsewhere
// (`judgeProposal` in src/domain/run/).

import { unreachable } from "../../lib/assert.ts";
import type { Check, CheckTarget, Deliverable } from "../run/checks/check.ts";
import type { Proposal } from "../run/iteration-result.ts";
import type { ProposedCheck } from "./answer.ts";

/** `drops`: ids of checks that shall go; `why`: for the user. */
export type ProposedChecks = {
  readonly deliverables: readonly Deliverable[];
  readonly checks: readonly ProposedCheck[];
  readonly drops?: readonly string[];
  readonly why?: string;
};

/** Null where nothing is proposed. */
export function toProposal({ deliverables, checks, drops = [], why = "" }: ProposedChecks): Proposal | null {
  if (deliverables.length + checks.length + drops.length === 0) return null;
  return { deliverables, checks: checks.map(toCheck), drops, why };
}

/** Two proposals of one session as one; the later word counts. */
export function together(before: Proposal, later: Proposal): Proposal {
  const byId = <T extends { readonly id: string }>(items: readonly T[]) => [
    ...new Map(items.map((item) => [item.id, item])).values(),
  ];
  return {
    deliverables: byId([...before.deliverables, ...later.deliverables]),
    checks: byId([...before.checks, ...later.checks]).filter(
      ({ id }) => !later.drops.includes(id) || later.checks.some((check) => check.id === id),
    ),
    // A check that is named again is not dropped any more; what this session proposed itself is simply gone.
    drops: [
      ...new Set([
        ...before.drops.filter((id) => !later.checks.some((check) => check.id === id)),
        ...later.drops.filter((id) => !before.checks.some((check) => check.id === id)),
      ]),
    ],
    why: before.why.includes(later.why) ? before.why : [before.why, later.why].join(" ").trim(),
  };
}

const toCheck = (proposed: ProposedCheck): Check => ({
  id: proposed.id,
  deliverableId: proposed.deliverable_id,
  target: toTarget(proposed),
  givenBy: "planner",
});

function toTarget(proposed: ProposedCheck): CheckTarget {
  const { kind, entity = "document", at_least: atLeast = 1, title_like: titleLike } = proposed;
  switch (kind) {
    case "entity_exists":
      return { kind, entity, titleLike };
    case "entity_count":
      return { kind, entity, atLeast };
    case "document_has":
      return {
        kind,
        documentId: null,
        titleLike,
        headings: proposed.headings,
        wordsAtLeast: proposed.words_at_least,
        ...(proposed.words_at_most === undefined ? {} : { wordsAtMost: proposed.words_at_most }),
        sourcesAtLeast: proposed.sources_at_least,
      };
    default:
      return unreachable(kind);
  }
}
