// Text of others between delimiters that nothing inside can close: a random word that the text cannot know, and whatever
// looks like a delimiter is spoiled. What people would not see (controls, hidden and reordering characters) is taken out.

import { assert } from "../../lib/assert.ts";

const labelMax = 200;
/** Enough that it cannot be guessed: eight letters and digits are 40 bits. */
const nonceShape = /^[A-Za-z0-9]{8,64}$/;

/** Anything a tired reader could take for one of our delimiters, wide forms included. Runs are matched from their start only. */
const delimiterLike = /(?<![<\uff1c])[<\uff1c]{2,}[\s/]{0,50}(?=untrusted|end)/giu;

/** `label` says where the text came from; `nonce` is random for each session. */
export function fenced(label: string, text: string, nonce: string): string {
  assert(nonceShape.test(nonce), "a nonce is 8 to 64 letters and digits");
  const from = spoiled(visibleText(label), nonce)
    .replaceAll(/[\s"<>]+/g, " ")
    .trim()
    .slice(0, labelMax);
  return `<<<untrusted ${nonce} from "${from}">>>\n${spoiled(visibleText(text), nonce)}\n<<<end ${nonce}>>>`;
}

/** The user's own words: each line marked, so that nothing in them passes for a part of the prompt around them. */
export const quoted = (text: string): string =>
  visibleText(text)
    .trim()
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");

/** For words of others in a place that has no fence, such as what a server says of its tool. */
export const spoilMarks = (text: string): string => text.replaceAll(delimiterLike, "(( ");

function spoiled(text: string, nonce: string): string {
  return spoilMarks(text).replaceAll(new RegExp(nonce, "gi"), "[…]");
}

const startOfCommand = String.fromCharCode(27);
/** Commands to terminals: colours, titles, links; the text of a link stays. */
const terminalCommands = new RegExp(
  `${startOfCommand}(?:\\[[0-?]*[ -/]*[@-~]|[\\]PX^_][^${startOfCommand}\\u0007\\n]*(?:\\u0007|${startOfCommand}\\\\)?|[ -/]*[0-~])`,
  "g",
);
/** The text as a person would see it: without terminal commands, controls, zero-width and direction characters. */
export function visibleText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(terminalCommands, "")
    .replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, "\n")
    .replaceAll(/[^\P{Cc}\n\t]|\p{Cf}|\p{Default_Ignorable_Code_Point}|\u2800/gu, "");
}
