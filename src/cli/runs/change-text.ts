// Staged writes as a person reads them: what each does, field by field, before and after.

import type { StagedWrite } from "../../protocol/api.ts";
import { isFilingField, nameField } from "../../protocol/kinds.ts";
import type { Output } from "../output.ts";
import { cutTo, oneLine, withoutEscapes } from "../plain-text.ts";

type StagedChange = StagedWrite["changes"][number];
type Field = StagedChange["fields"][number];

/** Enough of a value to know it by; --json has more, and `--full` all of it. */
const valueMax = 100;

const verbs: Readonly<Record<StagedChange["op"], string>> = {
  created: "create",
  updated: "update",
  deleted: "delete",
  restored: "restore",
};

export function changesText(output: Output, writes: readonly StagedWrite[], isFull: boolean): string {
  return writes.map((write) => writeText(output, write, isFull)).join("\n");
}

function writeText(output: Output, write: StagedWrite, isFull: boolean): string {
  const lines = [
    `${String(write.position).padStart(3)}  ${output.paint("bold", oneLine(write.summary))}  ${stateText(output, write)}`,
    ...write.changes.flatMap((change, at) => [
      ...(at === 0 ? [] : [`     also ${verbs[change.op]} ${change.kind} “${oneLine(change.title)}”`]),
      ...shownFields(change, isFull).map((field) => `     ${fieldText(field, change.op === "created", isFull)}`),
    ]),
    ...(write.note === "" ? [] : [`     note: ${oneLine(write.note)}`]),
    ...(write.why === "" ? [] : [output.paint("dim", `     why: “${oneLine(write.why)}”`)]),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** How something is filed, and the ends of a link, are for those who ask for everything. */
const shownFields = ({ op, kind, fields }: StagedChange, isFull: boolean): readonly Field[] =>
  isFull ? fields : fields.filter(({ name }) => kind !== "edge" && !isFilingField(op, name));

function stateText(output: Output, { state }: StagedWrite): string {
  if (state === "pending") return output.paint("yellow", "needs you");
  return output.paint(state === "rejected" || state === "drifted" ? "red" : "green", state);
}

function fieldText({ name, before, after, is_cut: isCut }: Field, isNew: boolean, isFull: boolean): string {
  const shown = (value: string | null) => valueText(value, isFull);
  const cut = isCut ? " (cut)" : "";
  const named = isFull ? name : nameField(name);
  return isNew ? `${named}: ${shown(after)}${cut}` : `${named}: ${shown(before)} → ${shown(after)}${cut}`;
}

function valueText(value: string | null, isFull: boolean): string {
  if (value === null) return "nothing";
  if (value === "") return "empty";
  return isFull ? `“${withoutEscapes(value)}”` : `“${cutTo(oneLine(value), valueMax)}”`;
}
