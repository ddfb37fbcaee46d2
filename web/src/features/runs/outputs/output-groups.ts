// What a run made, sorted by kind, and how that reads. Pure.

import type { RunOutput } from "../../../../../src/protocol/api.ts";
import { counted } from "../../../../../src/protocol/figures.ts";
import { documentTreeRel, nameField } from "../../../../../src/protocol/kinds.ts";
import { wordsOf } from "../../../ui/wording.ts";

export type OutputKind = RunOutput["kind"];
export type KindGroup = { readonly kind: OutputKind; readonly outputs: readonly RunOutput[] };

export const opWords: Readonly<Record<RunOutput["op"], string>> = {
  created: "Created",
  updated: "Updated",
  linked: "Linked",
  deleted: "Deleted",
};

/** In the order in which people look for them. */
export const pluralWords: Readonly<Record<OutputKind, string>> = {
  document: "Documents",
  task: "Tasks",
  plan: "Plans",
  goal: "Goals",
  milestone: "Milestones",
  project: "Projects",
  edge: "Links",
};

const order = Object.keys(pluralWords) as readonly OutputKind[];

/** Only kinds that occur; inside each, the order they came in. */
export function groupByKind(outputs: readonly RunOutput[]): readonly KindGroup[] {
  const byKind = Map.groupBy(outputs, ({ kind }) => kind);
  return order.flatMap((kind) => {
    const found = byKind.get(kind);
    return found ? [{ kind, outputs: found }] : [];
  });
}

/** `, written 5 times`; empty for what was written once. */
export const timesWords = ({ writes }: RunOutput): string => (writes > 1 ? `, written ${counted(writes, "time")}` : "");

/** A link is told by what it joins and how; documents below each other read like that. */
export function titleWords({ kind, title }: RunOutput): string {
  if (title.trim() === "") return "untitled";
  return kind === "edge" ? title.replaceAll(` ${documentTreeRel} `, " contains ") : title;
}

/** `state_key` reads "State", `due_at` "Due". */
export function fieldWords(name: string): string {
  return wordsOf(nameField(name));
}
