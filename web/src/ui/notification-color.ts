// One colour per thing a user is told of.

import { tone } from "../lib/tones.ts";

const colors: Readonly<Record<string, string>> = {
  completed: tone.passed,
  failed: tone.failure,
  waiting_on_user: tone.needsYou,
  escalation: tone.needsYou,
  outcome_achieved: tone.passed,
};

/** What neither went well nor badly, or is not known here, has no colour. */
export const notificationColor = (event: string): string => colors[event] ?? tone.plain;
