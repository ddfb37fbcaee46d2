// What a run made, sorted by what it did with it, and how that reads. Pure.

import type { RunOutput } from "../../../../../src/protocol/api.ts";
import { counted } from "../../../../../src/protocol/figures.ts";
import { documentTreeRel } from "../../../../../src/protocol/kinds.ts";
import { wordsOf } from "../../../ui/wording.ts";

export type OutputOp = RunOutput["op"];
export type OutputKind = RunOutput["kind"];
export type OutputGroup = { readonly op: OutputOp; readonly outputs: readonly RunOutput[] };

export type OutputFilter = {
  readonly kind: OutputKind | null;
  /** Also the pages the platform keeps for the run itself. */
  readonly withOwn: boolean;
};

export const opWords: Readonly<Record<OutputOp, string>> = {
  created: "Created",
  updated: "Changed",
  linked: "Linked",
  deleted: "Deleted",
};

export const kindWords: Readonly<Record<OutputKind, string>> = {
  project: "Project",
  task: "Task",
  goal: "Goal",
  plan: "Plan",
  milestone: "Milestone",
  document: "Document",
  edge: "Link",
};

const order = Object.keys(opWords) as readonly OutputOp[];

export function ofKind(outputs: readonly RunOutput[], kind: OutputKind | null): readonly RunOutput[] {
  return kind === null ? outputs : outputs.filter((output) => output.kind === kind);
}

/** Only groups that have something; inside each, the order they came in. */
export function groupsOf(outputs: readonly RunOutput[]): readonly OutputGroup[] {
  const byOp = Map.groupBy(outputs, ({ op }) => op);
  return order.flatMap((op) => {
    const found = byOp.get(op);
    return found ? [{ op, outputs: found }] : [];
  });
}

/** The kinds that occur, in the order people think of them. */
export function kindsIn(outputs: readonly RunOutput[]): readonly OutputKind[] {
  const found = new Set(outputs.map(({ kind }) => kind));
  return (Object.keys(kindWords) as readonly OutputKind[]).filter((kind) => found.has(kind));
}

/** `in iteration 3`, `in iterations 2 to 7, written 5 times`. */
export function whenWords({ first_iteration: first, last_iteration: last, writes }: RunOutput): string {
  const times = writes > 1 ? `written ${counted(writes, "time")}` : "";
  if (first === null || last === null) return times;
  const span = first === last ? `in iteration ${first}` : `in iterations ${first} to ${last}`;
  return times === "" ? span : `${span}, ${times}`;
}

/** A link is told by what it joins and how; documents below each other read like that. */
export function titleWords({ kind, title }: RunOutput): string {
  if (title.trim() === "") return "untitled";
  return kind === "edge" ? title.replaceAll(` ${documentTreeRel} `, " contains ") : title;
}

/** `state_key` reads "State", `due_at` "Due". */
export function fieldWords(name: string): string {
  return wordsOf(name.replace(/(?<=.)_(key|at|id)$/, ""));
}
