// How the priorities of an intent read on the screen.

import { tone } from "../../../lib/tones.ts";
import type { IntentPriority } from "./intent-draft.ts";

export const priorityWords: Readonly<Record<IntentPriority, string>> = {
  critical: "Critical",
  high: "High",
  medium: "Medium",
  low: "Low",
};

export const priorityColors: Readonly<Record<IntentPriority, string>> = {
  critical: tone.strong,
  high: tone.atWork,
  medium: tone.plain,
  low: tone.plain,
};
