// From a staged write to what the contract carries: the fields that say something, cut to a size that fits a list.

import { summaryOf } from "../domain/change-set/approval-question.ts";
import { changedFields, type FieldChange } from "../domain/change-set/fields.ts";
import type { StagedChange, StagedWrite } from "../domain/change-set/staged-write.ts";
import { stagedChange, stagedWrite } from "../protocol/routes/changes.ts";
import { wireOf } from "./wire.ts";

/** Characters of one value in a list: with a page of changes it stays an answer one can read. */
export const listedMax = 2_000;

const writeOf = wireOf(stagedWrite);
export const toWireWrite = (write: StagedWrite, valueMax: number) =>
  writeOf({
    ...write,
    summary: summaryOf(write),
    changes: write.changes.map((change) => toWireChange(change, valueMax)),
  });

const changeOf = wireOf(stagedChange);
const toWireChange = (change: StagedChange, valueMax: number) =>
  changeOf({ ...change, fields: changedFields(change).map((field) => toWireField(field, valueMax)) });

export function toWireField({ name, before, after }: FieldChange, valueMax: number) {
  const [was, is] = [toText(before), toText(after)];
  const is_cut = [was, is].some((value) => value !== null && value.length > valueMax);
  return { name, before: was?.slice(0, valueMax) ?? null, after: is?.slice(0, valueMax) ?? null, is_cut };
}

function toText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}
