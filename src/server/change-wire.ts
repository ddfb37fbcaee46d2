// From a staged write to what the contract carries: the fields that say something, cut to a size that fits a list.

import { summaryOf } from "../domain/change-set/approval-question.ts";
import { changedFields, type FieldChange } from "../domain/change-set/fields.ts";
import type { StagedChange, StagedWrite } from "../domain/change-set/staged-write.ts";
import type { StagedWrite as WireWrite } from "../protocol/api.ts";

/** Characters of one value in a list: with a page of changes it stays an answer one can read. */
export const listedMax = 2_000;

export const toWireWrite = (write: StagedWrite, valueMax: number): WireWrite => ({
  id: write.id,
  position: write.position,
  iteration: write.iteration,
  tool: write.tool,
  summary: summaryOf(write),
  why: write.why,
  state: write.state,
  note: write.note,
  changes: write.changes.map((change) => toWireChange(change, valueMax)),
  staged_at: write.stagedAt,
  decided_at: write.decidedAt,
  applied_at: write.appliedAt,
});

const toWireChange = (change: StagedChange, valueMax: number): WireWrite["changes"][number] => ({
  op: change.op,
  kind: change.kind,
  project_id: change.projectId,
  entity_id: change.entityId,
  title: change.title,
  fields: changedFields(change).map((field) => toWireField(field, valueMax)),
});

export function toWireField({ name, before, after }: FieldChange, valueMax: number) {
  const [was, is] = [toText(before), toText(after)];
  const is_cut = [was, is].some((value) => value !== null && value.length > valueMax);
  return { name, before: was?.slice(0, valueMax) ?? null, after: is?.slice(0, valueMax) ?? null, is_cut };
}

function toText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}
