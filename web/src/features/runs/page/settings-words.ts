// The settings of a run in words. Pure.

import type { Run } from "../../../../../src/protocol/api.ts";
import { counted } from "../../../../../src/protocol/figures.ts";
import { wordsOf } from "../../../ui/wording.ts";

export type Setting = { readonly name: string; readonly value: string };

type Settings = Pick<Run, "engine" | "scope" | "project_ids" | "permissions" | "models" | "judge" | "time_zone">;

export const writeModeWords: Readonly<Record<Run["permissions"]["write_mode"], string>> = {
  autopilot: "Writes without asking",
  approve_plan: "Asks before it starts: you approve the plan",
  per_write: "Asks before every change",
};

/** `projects`: the names of its projects; those that are gone or not loaded are counted. */
export function settingsOf(run: Settings, projects: readonly string[]): readonly Setting[] {
  const { allowed_tools: tools } = run.permissions;
  return [
    { name: "Engine", value: wordsOf(run.engine) },
    { name: "Models", value: modelWords(run.models) },
    { name: "Projects", value: projectWords(run, projects) },
    { name: "Approvals", value: writeModeWords[run.permissions.write_mode] },
    ...(tools === null ? [] : [{ name: "Allowed tools", value: tools.length === 0 ? "None" : tools.join(", ") }]),
    { name: "Judge", value: run.judge ? "Reads every deliverable before the run is done" : "Off" },
    { name: "Time zone", value: run.time_zone },
  ];
}

function projectWords({ scope, project_ids: ids }: Settings, names: readonly string[]): string {
  if (scope === "global") return "All projects";
  if (names.length === 0) return counted(ids.length, "project");
  const others = ids.length - names.length;
  return others > 0 ? `${names.join(", ")} and ${others} more` : names.join(", ");
}

function modelWords(models: Run["models"]): string {
  const chosen = Object.entries(models ?? {}).filter((entry): entry is [string, string] => entry[1] !== undefined);
  if (chosen.length === 0) return "Those of this installation";
  const names = new Set(chosen.map(([, name]) => name));
  return names.size === 1 ? [...names].join("") : chosen.map(([role, name]) => `${wordsOf(role)}: ${name}`).join(", ");
}
