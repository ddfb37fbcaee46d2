// The parts that a task is split into without asking a model: what its last attempt left to do, the list in its description, or, where
// there is neither, a first useful piece and the rest.

import { clipLine } from "../../planner/clip.ts";
import { type OutcomeTask, splitDepthMax } from "./task.ts";
import { splitPartsMax } from "./task-limits.ts";

const titleMax = 250;
const listed = /^[ \t]{0,8}(?:[-*+]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(\S.*)$/gm;

export const canBeSplit = ({ splitDepth }: OutcomeTask): boolean => splitDepth < splitDepthMax;

/** Two at least, in the order in which they are done. */
export function findParts({ title, checkpoint, description }: OutcomeTask): readonly string[] {
  const lists = [checkpoint?.remaining ?? [], [...description.matchAll(listed)].map(([, line = ""]) => line)];
  const parts = lists.find(({ length }) => length >= 2) ?? [
    `The smallest useful part of: ${title}`,
    `The rest of: ${title}`,
  ];
  return parts.slice(0, splitPartsMax).map((part) => clipLine(part, titleMax));
}
