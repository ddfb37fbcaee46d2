// Staged writes in words, and which of them are mere housekeeping. Pure.

import type { StagedWrite } from "../../../../../src/protocol/api.ts";
import { counted } from "../../../../../src/protocol/figures.ts";
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

type Changing = Pick<StagedWrite, "changes">;

/** As many as there are cards to read; the run's own notes count only where there is nothing else. */
export function countChanges(writes: readonly Changing[]): number {
  const real = writes.filter((write) => !isHousekeeping(write)).length;
  return real > 0 ? real : writes.length;
}

/** `2 changes and the run's own notes`. */
export function reviewWords(writes: readonly Changing[]): string {
  const count = counted(countChanges(writes), "change");
  const hasOwn = writes.some(isHousekeeping) && !writes.every(isHousekeeping);
  return hasOwn ? `${count} and the run's own notes` : count;
}

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
