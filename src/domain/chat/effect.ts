// What a call does, in our own words: from what the database would do, or from the arguments. Never from what the model says
// of it. It is what the user says yes to, so nothing in it can pass for a line of ours.

import { summaryOf } from "../change-set/approval-question.ts";
import { changedFields, nameOf, quoted, shortValue } from "../change-set/fields.ts";
import type { StagedChange } from "../change-set/staged-write.ts";

const changesShown = 10;
const fieldsShown = 12;
/** Whole addresses fit: what is cut off an address is where things are carried out. */
const argShown = 2_100;

export type Described = {
  readonly tool: string;
  readonly args: unknown;
  readonly changes: readonly StagedChange[];
  /** What the policy has to say; empty where it has nothing. */
  readonly why: string;
};

export function effectOf({ tool, args, changes, why }: Described): string {
  const lines = changes.length > 0 ? linesOf(tool, changes) : [`call ${tool}`, ...argLines(args)];
  return [...lines, ...(why === "" ? [] : [why])].join("\n");
}

function linesOf(tool: string, changes: readonly StagedChange[]): readonly string[] {
  const more = changes.length - changesShown;
  return [
    summaryOf({ tool, changes }),
    ...changes
      .slice(0, changesShown)
      .flatMap((change, at) => [...(at > 0 ? [`  also: ${change.op} ${nameOf(change)}`] : []), ...fieldLines(change)]),
    ...(more > 0 ? [`  … and ${more} more`] : []),
  ];
}

function fieldLines(change: StagedChange): readonly string[] {
  const fields = changedFields(change);
  const more = fields.length - fieldsShown;
  return [
    ...fields
      .slice(0, fieldsShown)
      .map(
        ({ name, before, after }) =>
          `  ${name}: ${change.before === null ? "" : `${shortValue(before)} → `}${shortValue(after)}`,
      ),
    ...(more > 0 ? [`  … and ${more} more fields`] : []),
  ];
}

function argLines(args: unknown): readonly string[] {
  if (typeof args !== "object" || args === null) return [];
  return Object.entries(args)
    .slice(0, fieldsShown)
    .map(
      ([name, value]) => `  ${quotedName(name)}: ${quoted(typeof value === "string" ? value : json(value), argShown)}`,
    );
}

const quotedName = (name: string) => name.replaceAll(/[^\w.-]/g, "_").slice(0, 80);
const json = (value: unknown) => JSON.stringify(value) ?? "";
