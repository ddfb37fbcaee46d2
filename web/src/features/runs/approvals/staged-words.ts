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

export function summaryWords({ summary }: Pick<StagedWrite, "summary">): string {
  const words = linkWords(summary);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const linkWords = (text: string): string => text.replaceAll(documentTreeRel, "contains");

export const isDetail = ({ op }: Pick<StagedChange, "op">, { name }: Pick<Field, "name">): boolean =>
  isFilingField(op, name);
