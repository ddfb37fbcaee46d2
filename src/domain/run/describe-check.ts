// A check in words, for the planner and for people.

import { unreachable } from "../../lib/assert.ts";
import type { Check } from "./checks.ts";

export function describeCheck({ target, deliverableId, givenBy }: Check): string {
  const by = givenBy === "user" ? "asked for by the user: " : "";
  const of = deliverableId === null ? "" : ` (for ${deliverableId})`;
  return `${by}${wordsOf(target)}${of}`;
}

function wordsOf(target: Check["target"]): string {
  switch (target.kind) {
    case "plan_complete":
      return "every step of the plan is done or dropped, each with something to show for it";
    case "entity_exists":
      return `a ${target.entity} called like "${target.titleLike}" is there`;
    case "entity_count":
      return `this run has made at least ${target.atLeast} of kind ${target.entity}`;
    case "entity_state":
      return `${target.entityId} is ${target.state}`;
    case "document_has":
      return documentWords(target);
    case "link_exists":
      return `${target.srcId} is linked to ${target.dstId} (${target.rel})`;
    case "file_exists":
      return `the file ${target.path} is there`;
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
        : `this run's document called like "${target.titleLike}"`;
  const isMany = target.documentId === null && target.titleLike === "";
  const wants = [
    ...(target.headings.length === 0 ? [] : [`the headings ${target.headings.join(", ")}`]),
    ...(target.wordsAtLeast === 0 ? [] : [`at least ${target.wordsAtLeast} words`]),
    ...(target.wordsAtMost === undefined ? [] : [`at most ${target.wordsAtMost} words`]),
    ...(target.sourcesAtLeast === 0 ? [] : [`${target.sourcesAtLeast} sources`]),
  ];
  return `${which} ${isMany ? "have" : "has"} ${wants.length === 0 ? "any text" : wants.join(", ")}`;
}
