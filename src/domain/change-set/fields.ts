// What a person is shown of a change: the fields that say something, before and after, in short.

import type { RowImage, StagedChange } from "./staged-write.ts";

/** As JSON values. */
export type FieldChange = { readonly name: string; readonly before: unknown; readonly after: unknown };

/** Said otherwise, or about nothing but the writing itself. */
const unsaid: readonly string[] = [
  "id",
  "project_id",
  "version",
  "created_at",
  "updated_at",
  "deleted_at",
  "created_by",
  "created_by_run",
  "updated_by_run",
  "search",
];
/** Both ends of an edge stand in its title. */
const unsaidOfEdges: readonly string[] = ["src_project_id", "dst_project_id", "src_kind", "dst_kind"];

/** What changes; of something new, everything that is not empty. What goes to the bin or comes back has no fields. */
export function changedFields({ kind, before, after }: StagedChange): readonly FieldChange[] {
  const hidden = kind === "edge" ? [...unsaid, ...unsaidOfEdges] : unsaid;
  const was: RowImage = before ?? {};
  return Object.keys(after)
    .filter((name) => !hidden.includes(name))
    .map((name) => ({ name, before: shown(name, was[name]), after: shown(name, after[name]) }))
    .filter((field) => (before === null ? !isEmpty(field.after) : !isSame(field.before, field.after)));
}

/** Without the mark that the platform puts into the properties of what a run writes: the user does not decide about it. */
function shown(name: string, value: unknown): unknown {
  if (name !== "props" || typeof value !== "object" || value === null) return value ?? null;
  const { homework: _, ...own } = value as RowImage;
  return own;
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** Of JSON: the order of keys means nothing. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  return keys.every(
    (key) => key in other && isSame((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]),
  );
}

/** How something is filed, and ids: for those who ask. A new thing has the first state of its kind. */
export const isFilingField = (op: string, name: string): boolean =>
  name === "type_key" || name === "props" || name.endsWith("_id") || (op === "created" && name === "state_key");

/** `due_at` reads "due". */
export const nameField = (name: string): string => name.replace(/(?<=.)_(key|at|id)$/, "").replaceAll("_", " ");

const shownMax = 80;

/** On one line, in quotation marks where it is text: nothing in it can pass for a line of ours. */
export function quoted(text: string, max = shownMax): string {
  // A document may be megabytes long: what is cut off anyway is not looked at.
  const line = text
    .slice(0, 4 * max)
    .replaceAll(/[\s\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ")
    .trim();
  const kept = [...line];
  return `“${kept.length > max ? `${kept.slice(0, max - 1).join("")}…` : line}”`;
}

export function shortValue(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (typeof value === "string") return value === "" ? "empty" : quoted(value);
  return typeof value === "object" ? quoted(JSON.stringify(value)) : String(value);
}

/** The thing a change is about: `task “Buy tiles”`. */
export const nameOf = ({ kind, title }: Pick<StagedChange, "kind" | "title">): string =>
  `${kind === "edge" ? "link" : kind} ${quoted(title)}`;
