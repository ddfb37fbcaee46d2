// Which checks can never pass: kinds that the engine cannot run, and kinds of things that do not exist.

import { entityKinds } from "../../entity/kinds.ts";
import type { EngineName } from "../run.ts";
import type { CheckKind, CheckTarget } from "./check.ts";
import { linkEntity } from "./evidence.ts";

const byAgentsOnly: readonly CheckKind[] = ["file_exists", "command_succeeds"];

/** What is wrong with it and what to do, in a sentence; null where it can be run. */
export function cannotCheck(engine: EngineName, target: CheckTarget): string | null {
  if (engine === "planner" && byAgentsOnly.includes(target.kind))
    return `${target.kind} needs the agent engine, which works in a folder; use document_has, entity_count or entity_exists.`;
  const isCounted = target.kind === "entity_count" && target.entity === linkEntity;
  if ((target.kind === "entity_exists" || target.kind === "entity_count") && !isKind(target.entity) && !isCounted)
    return `there are no things of kind "${target.entity}"; use one of ${entityKinds.join(", ")}.`;
  return null;
}

const isKind = (word: string): boolean => (entityKinds as readonly string[]).includes(word);
