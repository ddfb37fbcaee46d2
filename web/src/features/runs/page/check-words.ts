// A check as a sentence of the page: the contract's words, and who asked for it beside them. Pure.

import type { Run } from "../../../../../src/protocol/api.ts";

export type RunCheck = Run["completion_criteria"][number];

export const givenByWords: Readonly<Record<RunCheck["given_by"], string>> = {
  user: "From you",
  planner: "From the planner",
  platform: "Built-in",
};

/** To the user about what they asked for. */
export const checkWords = ({ words }: Pick<RunCheck, "words">): string =>
  `${words.charAt(0).toUpperCase()}${words.slice(1)}`.replaceAll("what the user asked for", "what you asked for");
