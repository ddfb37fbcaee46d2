// Whether carrying out an approved write now would do what was approved. It has drifted where anything a person could have
// looked at is different: what was there before, what would be there after, or what is touched at all.

import { type FieldChange, isSame, nameOf, shortValue } from "./fields.ts";
import { isSet, type RowImage, type StagedChange } from "./staged-write.ts";

/**
 * Columns that differ without anything being different: when a row was written, how often, and by which run. Whether
 * something lies in the bin counts; since when, does not.
 */
const bookkeeping: readonly string[] = ["version", "created_at", "updated_at", "updated_by_run", "search"];

/** As many differences as a person reads. */
const namedMax = 5;

/** Null: the same. Otherwise what is different, in a sentence for people. */
export function drift(approved: readonly StagedChange[], now: readonly StagedChange[]): string | null {
  const differences = [...gone(approved, now), ...gone(now, approved, "would now be"), ...changed(approved, now)];
  if (differences.length === 0) return null;
  const more = differences.length > namedMax ? [`${differences.length - namedMax} more`] : [];
  return [...differences.slice(0, namedMax), ...more].join("; ");
}

const keyOf = ({ kind, entityId }: StagedChange) => `${kind} ${entityId}`;

function gone(these: readonly StagedChange[], those: readonly StagedChange[], how = "would no longer be"): string[] {
  const known = new Set(those.map(keyOf));
  return these.filter((change) => !known.has(keyOf(change))).map((change) => `${nameOf(change)} ${how} ${change.op}`);
}

function changed(approved: readonly StagedChange[], now: readonly StagedChange[]): string[] {
  const found = new Map(now.map((change) => [keyOf(change), change]));
  return approved.flatMap((change) => {
    const other = found.get(keyOf(change));
    return other ? differencesIn(change, other) : [];
  });
}

function differencesIn(approved: StagedChange, now: StagedChange): string[] {
  const name = nameOf(approved);
  if (approved.op !== now.op) return [`${name} would be ${now.op} instead of ${approved.op}`];
  const before = different(approved.before ?? {}, now.before ?? {});
  if (before.length > 0) return before.map((field) => `${name} was changed meanwhile: ${inWords(field)}`);
  return different(approved.after, now.after).map((field) => `${name} would become different: ${inWords(field)}`);
}

const inWords = ({ name, before, after }: FieldChange) => `${name} ${shortValue(before)} → ${shortValue(after)}`;

function different(approved: RowImage, now: RowImage): FieldChange[] {
  const names = new Set([...Object.keys(approved), ...Object.keys(now)]);
  return [...names]
    .filter((name) => !bookkeeping.includes(name))
    .map((name) => ({ name, before: counted(name, approved), after: counted(name, now) }))
    .filter(({ before, after }) => !isSame(before, after));
}

const counted = (name: string, row: RowImage): unknown =>
  name === "deleted_at" ? isSet(row[name]) : (row[name] ?? null);

/** Texts that a write replaces as a whole, or works its change into. */
const texts: readonly string[] = ["content", "description"];

/** Whether carrying it out now would put the same text in the place of one that someone has changed since it was approved. */
export const replacesNewerText = (approved: readonly StagedChange[], now: readonly StagedChange[]): boolean =>
  approved.some((change) => {
    const other = now.find((each) => keyOf(each) === keyOf(change));
    if (!other?.before || !change.before) return false;
    const [was, is] = [change.before, other.before];
    return texts.some(
      (name) =>
        !isSame(was[name], is[name]) &&
        !isSame(is[name], other.after[name]) &&
        isSame(change.after[name], other.after[name]),
    );
  });
