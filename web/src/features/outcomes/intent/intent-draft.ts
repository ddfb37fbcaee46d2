// What someone wants, while it is being written: lists are lines of text, items have a key of their own. Pure.

import type { Outcome } from "../../../../../src/protocol/api.ts";

type Item = Outcome["intent"]["items"][number];
export type IntentPriority = Item["priority"];

export type ItemDraft = {
  /** Tells items apart while they are edited. */
  readonly key: string;
  /** That of an item the server knows; null for a new one. */
  readonly id: string | null;
  readonly title: string;
  readonly description: string;
  /** One per line. */
  readonly criteria: string;
  readonly priority: IntentPriority;
  readonly status: Item["status"];
};

export type IntentDraft = {
  readonly summary: string;
  readonly items: readonly ItemDraft[];
  /** One per line. */
  readonly successCriteria: string;
};

export const emptyIntent: IntentDraft = { summary: "", items: [], successCriteria: "" };

export const newItem = (key: string): ItemDraft => ({
  key,
  id: null,
  title: "",
  description: "",
  criteria: "",
  priority: "medium",
  status: "pending",
});

export function draftOfIntent({ summary, items, success_criteria: success }: Outcome["intent"]): IntentDraft {
  return {
    summary,
    successCriteria: success.join("\n"),
    items: items.map(({ acceptance_criteria: criteria, ...item }) => ({
      ...item,
      key: item.id,
      criteria: criteria.join("\n"),
    })),
  };
}

const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** Items without a title are left out. */
export function toIntent({ summary, items, successCriteria }: IntentDraft) {
  return {
    summary: summary.trim(),
    success_criteria: linesOf(successCriteria),
    items: items
      .filter(({ title }) => title.trim() !== "")
      .map(({ id, title, description, criteria, priority, status }) => ({
        ...(id === null ? {} : { id }),
        title: title.trim(),
        description: description.trim(),
        acceptance_criteria: linesOf(criteria),
        priority,
        status,
      })),
  };
}

export function isEmptyIntent(draft: IntentDraft): boolean {
  const { summary, items, success_criteria: success } = toIntent(draft);
  return summary === "" && items.length === 0 && success.length === 0;
}
