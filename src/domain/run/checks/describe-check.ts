// A check in words, for the planner and for people.

import { unreachable } from "../../../lib/assert.ts";
import { anyFile } from "../../agent/any-file.ts";
import type { Check, Deliverable, Proof } from "./check.ts";

/** With the titles of the deliverables where people read it; a planner knows them by their ids. */
export function describeCheck(
  { target, deliverableId, givenBy }: Check,
  deliverables: readonly Pick<Deliverable, "id" | "title">[] = [],
): string {
  const by = givenBy === "user" ? "asked for by the user: " : "";
  const title = deliverables.find(({ id }) => id === deliverableId)?.title;
  const of = deliverableId === null ? "" : ` (for ${title ?? deliverableId})`;
  return `${by}${describeTarget(target)}${of}`;
}

/** Each check in words, with what was seen of it; null where it was not looked at. */
export function tellChecks(checks: readonly Check[], proofs: readonly Proof[]) {
  const byCheck = new Map(proofs.map((proof) => [proof.checkId, proof]));
  return checks.map((check) => {
    const proof = byCheck.get(check.id);
    return { check, about: describeCheck(check), isGreen: proof?.isGreen ?? null, seen: proof?.seen ?? null };
  });
}

/** For a sentence to people: without its id, and without who asked for it. */
export const nameCheck = ({ target }: Pick<Check, "target">): string => `“${describeTarget(target)}”`;

/** What is looked for, and nothing else. */
export function describeTarget(target: Check["target"]): string {
  switch (target.kind) {
    case "plan_complete":
      return "every step of the plan that is not optional is dropped, or done with something to show for it";
    case "entity_exists":
      return `there is a ${target.entity} with “${target.titleLike}” in its title`;
    case "entity_count":
      return `at least ${target.atLeast} ${target.entity}${target.atLeast === 1 ? "" : "s"} created or changed by this run`;
    case "entity_state":
      return `${target.entityId} is ${target.state}`;
    case "document_has":
      return documentWords(target);
    case "link_exists":
      return `${target.srcId} is linked to ${target.dstId} (${target.rel})`;
    case "file_exists":
      return target.path === anyFile ? "files were made or changed" : `the file ${target.path} is there`;
    case "command_succeeds":
      return `${[target.program, ...target.args].join(" ")} succeeds`;
    case "http_ok":
      return `${target.url} answers`;
    case "judge":
      return `a judge agrees: ${target.rubric}`;
    default:
      return unreachable(target);
  }
}

function documentWords(target: Extract<Check["target"], { kind: "document_has" }>): string {
  const which =
    target.documentId !== null
      ? `document ${target.documentId}`
      : target.titleLike === ""
        ? "this run's documents together"
        : `this run's document with “${target.titleLike}” in its title`;
  const isMany = target.documentId === null && target.titleLike === "";
  const wants = [
    ...(target.headings.length === 0 ? [] : [`the headings ${target.headings.join(", ")}`]),
    ...(target.wordsAtLeast === 0 ? [] : [`at least ${target.wordsAtLeast} words`]),
    ...(target.wordsAtMost === undefined ? [] : [`at most ${target.wordsAtMost} words`]),
    ...(target.sourcesAtLeast === 0 ? [] : [`${target.sourcesAtLeast} sources`]),
  ];
  return `${which} ${isMany ? "have" : "has"} ${wants.length === 0 ? "any text" : wants.join(", ")}`;
}
