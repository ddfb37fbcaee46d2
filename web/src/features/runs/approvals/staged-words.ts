// Staged writes in words, and which of them are mere housekeeping. Pure.

import type { StagedWrite } from "../../../../../src/protocol/api.ts";
import { documentTreeRel, isFilingField } from "../../../../../src/protocol/kinds.ts";

type StagedChange = StagedWrite["changes"][number];
type Field = StagedChange["fields"][number];

const workingNote = "document.homework.";

/** Only links and working notes. */
export function isHousekeeping({ changes }: Pick<StagedWrite, "changes">): boolean {
  return changes.length > 0 && changes.every((change) => change.kind === "edge" || isWorkingNote(change));
}

const isWorkingNote = ({ fields }: StagedChange) =>
  fields.some(({ name, before, after }) => name === "type_key" && (after ?? before ?? "").startsWith(workingNote));

/** As many as the user says yes to: a write may change several things. */
export const countChanges = (writes: readonly Pick<StagedWrite, "changes">[]): number =>
  writes.reduce((count, { changes }) => count + Math.max(1, changes.length), 0);

/** `The run's own notes (2)`; links among them are not counted beside notes. */
export function housekeepingWords(writes: readonly Pick<StagedWrite, "changes">[]): string {
  const changes = writes.flatMap((write) => write.changes);
  const notes = changes.filter(({ kind }) => kind !== "edge").length;
  return notes > 0 ? `The run's own notes (${notes})` : `Links (${changes.length})`;
}

export function summaryWords({ summary }: Pick<StagedWrite, "summary">): string {
  const words = linkWords(summary);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const linkWords = (text: string): string => text.replaceAll(documentTreeRel, "contains");

export const isDetail = ({ op }: Pick<StagedChange, "op">, { name }: Pick<Field, "name">): boolean =>
  isFilingField(op, name);
