// What the composer's form holds, as it is kept between reloads. A number that was not typed is an empty string. It is read by hand:
// the first page would load the library of schemas for it.

import { type EntityKind, entityKinds } from "../../../../src/protocol/kinds.ts";

export const composerModes = ["homework", "chat"] as const;
export type ComposerMode = (typeof composerModes)[number];

export const scopeChoices = ["global", "project", "multi_project"] as const;
export type ScopeChoice = (typeof scopeChoices)[number];

const engineChoices = ["", "planner", "agent"] as const;

export const writeModeChoices = ["autopilot", "approve_plan", "per_write"] as const;

/** The checks people can give; the others need ids. */
export const checkKinds = [
  "command_succeeds",
  "file_exists",
  "document_has",
  "entity_exists",
  "entity_count",
  "judge",
  "http_ok",
] as const;
export type CheckKind = (typeof checkKinds)[number];

/** They need a folder, which only agents work in. */
export const isForAgents = (kind: CheckKind): boolean => kind === "command_succeeds" || kind === "file_exists";

type Figure = number | string;

/** One field per thing any kind asks for: changing the kind and back loses nothing. */
export type CheckDraft = {
  key: string;
  kind: CheckKind;
  entity: EntityKind;
  titleLike: string;
  atLeast: Figure;
  /** One to a line. */
  headings: string;
  wordsAtLeast: Figure;
  sourcesAtLeast: Figure;
  url: string;
  rubric: string;
  /** A program and its arguments. */
  command: string;
  path: string;
};

export type HomeworkDraft = {
  mode: ComposerMode;
  /** The objective, or what is said in a chat. */
  text: string;
  /** What someone else wrote; empty: nothing. */
  foreignText: string;
  scope: ScopeChoice;
  projectIds: string[];
  /** Empty: the planner, unless only agents can do real work here. */
  engine: (typeof engineChoices)[number];
  /** For an agent: a repository of the server's machine. */
  workFolder: string;
  maxIterations: Figure;
  maxMinutes: Figure;
  maxCostUsd: Figure;
  maxTokens: Figure;
  isCostHard: boolean;
  writeMode: (typeof writeModeChoices)[number];
  model: string;
  checks: CheckDraft[];
  isJudged: boolean;
};

type Preset = { readonly mode?: ComposerMode | undefined; readonly projectId?: string | undefined };

export function emptyDraft({ mode = "homework", projectId }: Preset = {}): HomeworkDraft {
  return {
    mode,
    text: "",
    foreignText: "",
    scope: projectId === undefined ? "global" : "project",
    projectIds: projectId === undefined ? [] : [projectId],
    engine: "",
    workFolder: "",
    maxIterations: "",
    maxMinutes: "",
    maxCostUsd: "",
    maxTokens: "",
    isCostHard: false,
    writeMode: "autopilot",
    model: "",
    checks: [],
    isJudged: true,
  };
}

export function emptyCheck(key: string, engine: HomeworkDraft["engine"] = ""): CheckDraft {
  return {
    key,
    kind: engine === "agent" ? "command_succeeds" : "document_has",
    entity: "task",
    titleLike: "",
    atLeast: "",
    headings: "",
    wordsAtLeast: "",
    sourcesAtLeast: "",
    url: "",
    rubric: "",
    command: "",
    path: "",
  };
}

/** What an older version of the page left behind is taken as far as it makes sense. */
export function readDraft(stored: unknown, preset: Preset = {}): HomeworkDraft {
  if (!isRecord(stored)) return emptyDraft(preset);
  const checks = Array.isArray(stored.checks) ? stored.checks.map(readCheck) : [];
  return {
    ...readFields(emptyDraft(), stored),
    mode: readChoice(composerModes, stored.mode, "homework"),
    scope: readChoice(scopeChoices, stored.scope, "global"),
    projectIds: isListOfWords(stored.projectIds) ? stored.projectIds : [],
    engine: readChoice(engineChoices, stored.engine, ""),
    writeMode: readChoice(writeModeChoices, stored.writeMode, "autopilot"),
    checks: checks.includes(null) ? [] : checks.filter((check) => check !== null),
  };
}

/** Null where it is no check. */
function readCheck(stored: unknown): CheckDraft | null {
  if (!isRecord(stored) || typeof stored.key !== "string") return null;
  const kind = checkKinds.find((each) => each === stored.kind);
  if (kind === undefined) return null;
  const entity = readChoice(entityKinds, stored.entity, "task");
  return { ...readFields(emptyCheck(stored.key), stored), kind, entity };
}

const figureFields = /^(max|atLeast$|wordsAtLeast$|sourcesAtLeast$)/;

/** Words, figures and switches; anything else in them is as in an empty one. */
function readFields<Fields extends object>(empty: Fields, stored: Readonly<Record<string, unknown>>): Fields {
  const read = Object.entries(empty).map(([name, without]) => {
    const given = stored[name];
    const isFigure = figureFields.test(name) && typeof given === "number";
    return [name, isFigure || typeof given === typeof without ? given : without];
  });
  return Object.fromEntries(read) as Fields;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isListOfWords = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");

function readChoice<Choice extends string>(choices: readonly Choice[], given: unknown, otherwise: Choice): Choice {
  return choices.find((choice) => choice === given) ?? otherwise;
}

/** Nothing to keep. The mode alone is no draft. */
export function isEmptyDraft(draft: HomeworkDraft, preset: Preset = {}): boolean {
  return (
    JSON.stringify({ ...draft, mode: "homework", engine: "" }) ===
    JSON.stringify(emptyDraft({ ...preset, mode: "homework" }))
  );
}

/** Said below the closed "Advanced", so that nothing set there is forgotten. */
export function advancedCount(draft: HomeworkDraft): number {
  const figures = [draft.maxIterations, draft.maxMinutes, draft.maxCostUsd, draft.maxTokens, draft.model.trim()];
  const set = figures.filter((value) => value !== "").length;
  const chosen = [draft.isCostHard, draft.writeMode !== "autopilot", !draft.isJudged].filter(Boolean).length;
  return set + chosen + draft.checks.length;
}
