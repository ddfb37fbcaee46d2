// A memory's facts as they read on the screen. Pure.

import type { Memory } from "../../../../src/protocol/api.ts";
import { offeredFrom } from "../../../../src/protocol/kinds.ts";

export const memoryTypeWords: Readonly<Record<Memory["type"], string>> = {
  fact: "Fact",
  pattern: "Pattern",
  preference: "Preference",
  decision: "Decision",
  lesson: "Lesson",
  context: "Background",
};

export const importanceWords: Readonly<Record<Memory["importance"], string>> = {
  low: "Low",
  medium: "Medium",
  high: "High",
  critical: "Critical",
};

/** Whether it helped: `Helped in 3 of 4 tasks`. Only before that its trust is said. */
export function helpedWords(memory: Memory): string {
  const { times_used: used, times_helped: helped } = memory;
  if (used === 0) return `Not used yet, ${trustWords(memory)}`;
  return `Helped in ${helped} of ${used} ${used === 1 ? "task" : "tasks"}`;
}

const trustWords = ({ confidence }: Memory): string => `${Math.round(confidence * 100)}% trusted`;

/** It has failed too often to be told to workers. */
export const isNoLongerOffered = ({ confidence }: Memory): boolean => confidence < offeredFrom;
