// How people are asked about staged writes: from what the database would do, in our own words. What the model says of it is
// shown too, in quotation marks.

import type { ChangeOp } from "../entity/entity.ts";
import type { Question } from "../run/question.ts";
import type { NonEmpty } from "../run/run.ts";
import { dueIn } from "../wall-clock.ts";
import { workingNoteTypes } from "../workspace/pages.ts";
import { changedFields, isFilingField, nameField, nameOf, quoted, shortValue } from "./fields.ts";
import type { NewStagedWrite, StagedChange, StagedWrite } from "./staged-write.ts";

const approvalQuestionId = "approve_writes";

/** The question is kept short, as it is stored with the run and sent out; the list shows more. */
const writesShown = 20;
const changesShown = 5;
const fieldsShown = 6;
const whyShown = 200;

const verbs: Readonly<Record<ChangeOp, string>> = {
  created: "create",
  updated: "change",
  deleted: "put in the bin",
  restored: "bring back",
};

/** Due dates are days of the user (`timeZone`). */
export function approvalQuestion(writes: NonEmpty<StagedWrite>, timeZone: string): Question {
  const own = writes.filter(isHousekeeping);
  const real = writes.filter((write) => !isHousekeeping(write));
  const more = writes.length - writesShown;
  const lines = [
    `Review ${countWords(real.length, own.length)}. Nothing is written until you approve:`,
    ...[...real, ...own].slice(0, writesShown).flatMap((write) => linesOf(write, timeZone)),
    ...(more > 0 ? [`… and ${more} more: look at the list of changes`] : []),
    "Decide each in the list of changes, or answer for all: approve, reject, or say what to change (rejects all).",
  ];
  return { id: approvalQuestionId, kind: "approve_writes", text: lines.join("\n"), options: ["approve", "reject"] };
}

function countWords(real: number, own: number): string {
  const count = real > 0 ? real : own;
  const changes = count === 1 ? "1 change" : `${count} changes`;
  return real > 0 && own > 0 ? `${changes} and the run's own notes` : changes;
}

/** Only pages that the run keeps for itself, and links: not what the user asked for. */
const isHousekeeping = ({ changes }: Pick<StagedWrite, "changes">): boolean =>
  changes.length > 0 && changes.every(({ kind, after }) => kind === "edge" || isOwnPage(after.type_key));

const isOwnPage = (type: unknown): boolean => workingNoteTypes.some((each) => each === type);

/** In a line: what it does first, and how much more. */
export function summaryOf({ tool, changes }: Pick<NewStagedWrite, "tool" | "changes">): string {
  const [first, ...rest] = changes;
  if (!first) return tool;
  return `${headOf(first)}${rest.length > 0 ? ` and ${rest.length} more` : ""}`;
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const headOf = (change: StagedChange) => `${verbs[change.op]} ${nameOf(change)}`;

function linesOf(write: StagedWrite, timeZone: string): readonly string[] {
  const { position, changes, why, note } = write;
  const more = changes.length - changesShown;
  return [
    `${position}. ${changes.length === 0 ? summaryOf(write) : capitalized(summaryOf(write))}`,
    ...changes
      .slice(0, changesShown)
      .flatMap((change, at) => [...(at > 0 ? [`   also: ${headOf(change)}`] : []), ...tellFields(change, timeZone)]),
    ...(more > 0 ? [`   … and ${more} more things`] : []),
    ...(note === "" ? [] : [`   asked again: ${note}`]),
    ...(why === "" ? [] : [`   reason: ${quoted(why, whyShown)}`]),
  ];
}

/** What a person decides about; the title of something new, and the ends of a link, stand in the line above. */
function tellFields(change: StagedChange, timeZone: string): readonly string[] {
  if (change.kind === "edge") return [];
  return changedFields(change)
    .filter(({ name }) => !isFilingField(change.op, name) && (name !== "title" || change.op !== "created"))
    .slice(0, fieldsShown)
    .map(({ name, before, after }) => {
      const tell = (value: unknown) =>
        name === "due_at" && typeof value === "string" ? dueIn(value, timeZone) : shortValue(value);
      const was = change.before === null ? "" : `${tell(before)} → `;
      return `   ${nameField(name)}: ${was}${tell(after)}`;
    });
}

/** What the run is told when its changes were decided one by one. */
export const decidedInWords = (count: { readonly approved: number; readonly rejected: number }): string =>
  `approved ${count.approved}, rejected ${count.rejected}`;

export const isDecidedInWords = (text: string): boolean => /^approved \d+, rejected \d+$/.test(text.trim());
