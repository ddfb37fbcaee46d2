// A call that waits for the user's word, in the platform's words and whole: what a write would do, taken from what the database
// did and took back, and else the arguments. The first line says what it is; nothing is cut, since a yes means all of it.

import { summaryOf } from "../change-set/approval-question.ts";
import { changedFields, type FieldChange, nameOf, quoted } from "../change-set/fields.ts";
import type { StagedChange } from "../change-set/staged-write.ts";
import { visibleText } from "../policy/fence-text.ts";

export type Described = {
  readonly tool: string;
  readonly args: unknown;
  readonly changes: readonly StagedChange[];
  /** What the policy has to say; empty where it has nothing. */
  readonly why: string;
};

/** Characters: forty pages. What is longer is more than a person looks at before a yes, and is refused. */
export const effectMax = 200_000;

export function describeEffect({ tool, args, changes, why }: Described): string {
  const lines = changes.length > 0 ? describeChanges(tool, changes) : [`call ${tool}`, ...describeArgs(args)];
  return [...lines, ...(why === "" ? [] : [why])].join("\n");
}

const describeChanges = (tool: string, changes: readonly StagedChange[]): readonly string[] => [
  summaryOf({ tool, changes }),
  ...changes.flatMap((change, at) => [
    ...(at > 0 ? [`  also: ${change.op} ${nameOf(change)}`] : []),
    ...changedFields(change).flatMap((field) => describeField(field, change.before === null)),
  ]),
];

function describeField({ name, before, after }: FieldChange, isNew: boolean): readonly string[] {
  const [was, is] = [toText(before), toText(after)];
  if (isNew) return describeValue(name, is);
  if (isShort(was) && isShort(is)) return [`  ${name}: ${inLine(was)} → ${inLine(is)}`];
  return [`  ${name}:`, ...describePassage(was.split("\n"), is.split("\n"))];
}

/** The lines that differ, all of them; what stands the same before and after them is left out. */
function describePassage(was: readonly string[], is: readonly string[]): readonly string[] {
  const most = Math.min(was.length, is.length);
  let head = 0;
  while (head < most && was[head] === is[head]) head += 1;
  let tail = 0;
  while (tail < most - head && was.at(-1 - tail) === is.at(-1 - tail)) tail += 1;
  const between = (lines: readonly string[]) => lines.slice(head, lines.length - tail);
  return [...between(was).map((line) => `    - ${line}`), ...between(is).map((line) => `    + ${line}`)];
}

function describeArgs(args: unknown): readonly string[] {
  if (typeof args !== "object" || args === null) return [];
  return Object.entries(args).flatMap(([name, value]) =>
    describeValue(name.replaceAll(/[^\w.-]/g, "_"), toText(value)),
  );
}

/** Every line of a long value is marked: nothing in it can pass for a line of ours. */
const describeValue = (name: string, text: string): readonly string[] =>
  isShort(text) ? [`  ${name}: ${inLine(text)}`] : [`  ${name}:`, ...text.split("\n").map((line) => `    | ${line}`)];

const inLineMax = 200;
const isShort = (text: string): boolean => text.length <= inLineMax && !text.includes("\n");
const inLine = (text: string): string => (text === "" ? "empty" : quoted(text, inLineMax));

/** As a person would see it. */
const toText = (value: unknown): string =>
  value === null || value === undefined
    ? ""
    : visibleText(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
