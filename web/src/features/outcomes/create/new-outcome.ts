// A new outcome while it is being written: what is typed, what is missing, and what is sent. Pure.

import type { routes } from "../../../../../src/protocol/api.ts";
import type { RouteInput } from "../../../../../src/protocol/route.ts";
import { emptyIntent, type IntentDraft, isEmptyIntent, toIntent } from "../intent/intent-draft.ts";

export type TaskDraft = {
  readonly key: string;
  readonly title: string;
  readonly description: string;
  /** Keys of tasks above it that have to be done first. */
  readonly after: readonly string[];
};

export type NewOutcome = {
  /** `brief`: a model drafts the plan. `hand`: the person writes it. */
  readonly mode: "brief" | "hand";
  readonly brief: string;
  readonly name: string;
  readonly intent: IntentDraft;
  readonly approach: string;
  readonly tasks: readonly TaskDraft[];
  readonly projectId: string | null;
  readonly engine: "" | "planner" | "agent";
  readonly workFolder: string;
  readonly workers: number;
  /** Empty: no limit. */
  readonly maxCostUsd: number | "";
};

export const newTask = (key: string): TaskDraft => ({ key, title: "", description: "", after: [] });

export const emptyOutcome: NewOutcome = {
  mode: "brief",
  brief: "",
  name: "",
  intent: emptyIntent,
  approach: "",
  tasks: [newTask("first")],
  projectId: null,
  engine: "",
  workFolder: "",
  workers: 1,
  maxCostUsd: "",
};

/** As it was kept over a reload. Anything of another shape begins anew. */
export function readNewOutcome(kept: unknown): NewOutcome {
  if (typeof kept !== "object" || kept === null) return emptyOutcome;
  const isAlike = Object.entries(emptyOutcome).every(([key, value]) => {
    const found = (kept as Record<string, unknown>)[key];
    return key === "projectId" || key === "maxCostUsd" || (typeof found === typeof value && found !== null);
  });
  return isAlike ? (kept as NewOutcome) : emptyOutcome;
}

export type NewOutcomeProblem = { readonly field: "brief" | "name" | "tasks"; readonly text: string };

export function problemOf(draft: NewOutcome): NewOutcomeProblem | null {
  if (draft.mode === "brief")
    return draft.brief.trim() === "" ? { field: "brief", text: "Describe what you want to achieve" } : null;
  if (draft.name.trim() === "") return { field: "name", text: "Give the outcome a name" };
  return titledTasks(draft).length === 0 ? { field: "tasks", text: "Add at least one task" } : null;
}

const titledTasks = ({ tasks }: NewOutcome) => tasks.filter(({ title }) => title.trim() !== "");

type Body = NonNullable<RouteInput<typeof routes.outcomes.create>["body"]>;

export function requestOf(draft: NewOutcome, timeZone: string): Body {
  const { projectId, engine, workFolder, workers, maxCostUsd } = draft;
  const settings = {
    ...(projectId === null ? {} : { project_id: projectId }),
    ...(engine === "" ? {} : { engine }),
    ...(engine === "agent" && workFolder.trim() !== "" ? { work_folder: workFolder.trim() } : {}),
    workers,
    max_cost_usd: maxCostUsd === "" ? null : maxCostUsd,
    time_zone: timeZone,
  };
  const name = draft.name.trim();
  if (draft.mode === "brief") return { brief: draft.brief.trim(), ...(name === "" ? {} : { name }), ...settings };
  const approach = draft.approach.trim();
  return {
    name,
    ...(isEmptyIntent(draft.intent) ? {} : { intent: toIntent(draft.intent) }),
    ...(approach === "" ? {} : { approach }),
    tasks: toTasks(titledTasks(draft)),
    ...settings,
  };
}

/** The wire names tasks by their place in the list, from 1. */
function toTasks(tasks: readonly TaskDraft[]) {
  const places = new Map(tasks.map(({ key }, at) => [key, at + 1]));
  return tasks.map(({ title, description, after }) => ({
    title: title.trim(),
    description: description.trim(),
    depends_on: after.flatMap((key) => places.get(key) ?? []),
  }));
}
