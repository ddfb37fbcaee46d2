// The syntax tree of a source file, as far as a walk for words has to know it, and how what stands in a slot is written down.

import type { Message, Range, Slot } from "./message.ts";

export type Syntax = {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [name: string]: unknown;
};

export type Walk = {
  readonly found: Message[];
  /** Whether the file holds nothing but words. */
  readonly isWordFile: boolean;
  /** How many functions are around. */
  depth: number;
  /** `isShown`: what this expression gives is put before a person. */
  readonly visit: (node: Syntax | null, isShown: boolean) => void;
};

export const rangeOf = ({ start, end }: Syntax): Range => [start, end];
export const nodeIn = (node: Syntax | null, name: string): Syntax | null => (node?.[name] ?? null) as Syntax | null;
export const nodesIn = (node: Syntax, name: string): readonly Syntax[] =>
  ((node[name] ?? []) as readonly (Syntax | null)[]).filter((each) => each !== null);

/** What stands in a slot; the words of a choice belong to the message around it. */
export function visitValue(value: Syntax, isShown: boolean, isInMessage: boolean, walk: Walk): void {
  if (isInMessage && choiceOf(value) !== null) walk.visit(nodeIn(value, "test"), false);
  else walk.visit(value, isShown);
}

/** Adds the slot of an expression, and gives its mark in the text. */
export function fillSlot(value: Syntax, slots: Slot[]): string {
  const choice = choiceOf(value);
  const number = slots.length;
  if (choice === null) {
    slots.push({ kind: "value", at: rangeOf(value) });
    return `{${number}}`;
  }
  slots.push({ kind: "choice", test: choice.test });
  return `{${number}:${choice.yes}|${choice.no}}`;
}

/** `count === 1 ? "task" : "tasks"`: a choice between two plain texts. */
function choiceOf(value: Syntax): { readonly test: Range; readonly yes: string; readonly no: string } | null {
  if (value.type !== "ConditionalExpression") return null;
  const [test, yes, no] = [
    nodeIn(value, "test"),
    nodeIn(value, "consequent")?.value,
    nodeIn(value, "alternate")?.value,
  ];
  if (test === null || typeof yes !== "string" || typeof no !== "string" || /[{}|]/.test(yes + no)) return null;
  return { test: rangeOf(test), yes, no };
}
