// What a change did, field by field, in words. Pure.

import { dayOf } from "../lib/dates.ts";
import { priorityWords, wordsOf } from "./wording.ts";

type Facts = Readonly<Record<string, unknown>>;
export type FactLine = { readonly label: string; readonly value: string };

const isText = (value: unknown): value is string => typeof value === "string" && value.trim() !== "";

/** Fields that people see on the page, in the order in which it shows them. */
const fields: readonly {
  readonly key: string;
  readonly label: string;
  readonly say: (value: unknown) => string | null;
}[] = [
  { key: "title", label: "Title", say: (value) => (isText(value) ? value : null) },
  { key: "name", label: "Name", say: (value) => (isText(value) ? value : null) },
  { key: "state_key", label: "State", say: (value) => (isText(value) ? wordsOf(value) : null) },
  {
    key: "priority",
    label: "Priority",
    say: (value) => (typeof value === "number" ? (priorityWords[value - 1] ?? null) : null),
  },
  { key: "due_at", label: "Due", say: (value) => (isText(value) ? dayOf(value) : null) },
  { key: "rel", label: "Link", say: (value) => (isText(value) ? wordsOf(value) : null) },
  { key: "description", label: "Description", say: (value) => (isText(value) ? value : null) },
  { key: "content", label: "Text", say: (value) => (isText(value) ? value : null) },
];

/** Everything that was set. */
export function listFacts(facts: Facts): readonly FactLine[] {
  return fields.flatMap(({ key, label, say }) => {
    const value = say(facts[key]);
    return value === null ? [] : [{ label, value }];
  });
}

const short = 60;

/** `State: Todo → In progress · Text changed`; null where nothing that people see is another one. */
export function describeChange(before: Facts, after: Facts): string | null {
  const words = fields.flatMap(({ key, label, say }) => {
    const [was, is] = [say(before[key]), say(after[key])];
    if (was === is) return [];
    const isLong = key === "content" || key === "description" || Math.max(was?.length ?? 0, is?.length ?? 0) > short;
    return [isLong ? `${label} changed` : `${label}: ${was ?? "none"} → ${is ?? "none"}`];
  });
  return words.length === 0 ? null : words.join(" · ");
}
