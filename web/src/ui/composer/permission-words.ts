// How much a run asks before it writes: in a word, and in a sentence.

import type { writeModeChoices } from "./homework-draft.ts";

export const permissionWords: Readonly<Record<(typeof writeModeChoices)[number], readonly [string, string]>> = {
  autopilot: ["Autopilot", "Works without asking. Everything it writes in your projects can be undone."],
  approve_plan: ["Approve the plan first", "Shows you the plan and the checks. Nothing is written until you approve."],
  per_write: ["Approve every write", "Prepares its writes and waits. Only what you approve is written."],
};
