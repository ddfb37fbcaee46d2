// The choice after a stale write to a thing: the fields one wanted to save, beside what is there now.

import type { Entity } from "../../../../src/protocol/api.ts";
import { dayOf } from "../../lib/dates.ts";
import { StaleChoice, type StaleField } from "../../ui/stale-choice.tsx";
import { wordsOf } from "../../ui/wording.ts";
import type { EntityPatch } from "./draft.ts";
import type { Editing } from "./use-entity-editing.ts";

const labels: Readonly<Record<keyof EntityPatch, string>> = {
  title: "Title",
  description: "Description",
  content: "Content",
  state_key: "State",
  priority: "Priority",
  due_at: "Due",
};

export function StaleEntityChoice({ editing }: { readonly editing: Editing }) {
  return <StaleChoice saving={editing} compare={fieldsOf} />;
}

function fieldsOf(patch: EntityPatch, current: Entity): readonly StaleField[] {
  const names = Object.keys(patch) as (keyof EntityPatch)[];
  return names.map((name) => ({
    label: labels[name],
    mine: textOf(name, patch[name]),
    theirs: textOf(name, current[name]),
  }));
}

function textOf(name: keyof EntityPatch, value: string | number | null | undefined): string {
  if (value === null || value === undefined) return "";
  if (name === "due_at") return dayOf(String(value));
  return name === "state_key" ? wordsOf(String(value)) : String(value);
}
