// What a planner promises, as the run keeps it. Where the checks of a deliverable would only see that something is there, the
// platform adds a judge: no planner can choose to be measured by existence alone.

import type { Check, CheckTarget, Deliverable } from "../run/checks.ts";
import { isWeak } from "../run/checks.ts";
import type { Proposal } from "../run/iteration-result.ts";
import type { PlannerAnswer, ProposedCheck } from "./answer.ts";

export function toProposal({ deliverables, checks }: PlannerAnswer): Proposal | null {
  if (deliverables.length === 0) return null;
  const named = new Set(deliverables.map(({ id }) => id));
  const proposed = checks.filter(({ deliverable_id: id }) => named.has(id)).map(toCheck);
  const all = [...proposed, ...deliverables.flatMap((each) => judgeFor(each, proposed))];
  return { deliverables, checks: all, drops: [], why: "" };
}

const toCheck = (proposed: ProposedCheck): Check => ({
  id: proposed.id,
  deliverableId: proposed.deliverable_id,
  target: toTarget(proposed),
  givenBy: "planner",
});

function toTarget(proposed: ProposedCheck): CheckTarget {
  switch (proposed.kind) {
    case "entity_exists":
      return { kind: proposed.kind, entity: proposed.entity, titleLike: proposed.title_like };
    case "entity_count":
      return { kind: proposed.kind, entity: proposed.entity, atLeast: proposed.at_least };
    case "document_has":
      return {
        kind: proposed.kind,
        documentId: null,
        titleLike: proposed.title_like,
        headings: proposed.headings,
        wordsAtLeast: proposed.words_at_least,
        sourcesAtLeast: proposed.sources_at_least,
      };
    case "judge":
      return { kind: proposed.kind, rubric: proposed.rubric };
  }
}

function judgeFor({ id, title }: Deliverable, checks: readonly Check[]): readonly Check[] {
  const own = checks.filter((check) => check.deliverableId === id);
  if (own.some((check) => !isWeak(check))) return [];
  const rubric = `"${title}" is really there, complete, and useful to the person who asked for it.`;
  return [{ id: `judge:${id}`, deliverableId: id, target: { kind: "judge", rubric }, givenBy: "planner" }];
}
