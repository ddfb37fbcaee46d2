// How the priorities of an intent read on the screen.

import type { IntentPriority } from "./intent-draft.ts";

export const priorityWords: Readonly<Record<IntentPriority, string>> = {
  critical: "Critical",
  high: "High",
  medium: "Medium",
  low: "Low",
};

export const priorityColors: Readonly<Record<IntentPriority, string>> = {
  critical: "red",
  high: "orange",
  medium: "blue",
  low: "gray",
};
