// What the platform says to a session while it goes on: that an answer broke off, that a limit is near, and what the user has
// just said. One sentence each; they are appended and never change what was said before.

import { clip, clipLine } from "../domain/planner/clip.ts";
import type { SaidMessage } from "../domain/planner/said-message.ts";
import { fenced, quoted } from "../domain/policy/fence-text.ts";

/** Long messages are kept whole elsewhere; this is what a prompt takes of one. */
const messageMax = 8_000;

export const brokeOff = (outputTokens: number): string =>
  `Your answer broke off after ${outputTokens} tokens, and nothing of it was carried out. Write in smaller pieces: create the document with its beginning, then append_document section by section.`;

/** Stands for what cannot be sent back: an answer without a word, or half a call. */
export const brokenAnswer = "[This answer broke off.]";

export const lastAnswer = (end: string): string => `This is the last answer of this session: ${end}.`;

export const nearLimit = (what: string, end: string): string => `${what}. Finish the sentence you are at, and ${end}.`;

export const newMessages = (messages: readonly SaidMessage[], nonce: string): string =>
  [
    "The user has just said this to the run. It holds from now on:",
    ...messages.map((message) => renderMessage(message, nonce)),
  ].join("\n");

/** What was asked is a model's text; what the user answered is not. */
export function renderMessage({ question, text }: SaidMessage, nonce: string): string {
  const said = quoted(clip(text, messageMax));
  if (question === null) return said;
  return `${fenced("a question of yours", clipLine(question, 1_000), nonce)}\nThe user answered:\n${said}`;
}
