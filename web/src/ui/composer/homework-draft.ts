// What the composer's form holds, as it is kept between reloads. A number that was not typed is an empty string.

import { z } from "zod";
import { entityKinds } from "../../../../src/protocol/kinds.ts";

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

const figure = z.union([z.number(), z.string()]).catch("");
const word = z.string().catch("");

/** One field per thing any kind asks for: changing the kind and back loses nothing. */
const checkDraft = z.object({
  key: z.string(),
  kind: z.enum(checkKinds),
  entity: z.enum(entityKinds).catch("task"),
  titleLike: word,
  atLeast: figure,
  /** One to a line. */
  headings: word,
  wordsAtLeast: figure,
  sourcesAtLeast: figure,
  url: word,
  rubric: word,
  /** A program and its arguments. */
  command: word,
  path: word,
});
export type CheckDraft = z.infer<typeof checkDraft>;

const homeworkDraft = z.object({
  mode: z.enum(composerModes).catch("homework"),
  /** The objective, or what is said in a chat. */
  text: word,
  scope: z.enum(scopeChoices).catch("global"),
  projectIds: z.array(z.string()).catch([]),
  /** Empty: the planner, unless only agents can do real work here. */
  engine: z.enum(engineChoices).catch(""),
  /** For an agent: a repository of the server's machine. */
  workFolder: word,
  maxIterations: figure,
  maxMinutes: figure,
  maxCostUsd: figure,
  maxTokens: figure,
  isCostHard: z.boolean().catch(false),
  writeMode: z.enum(writeModeChoices).catch("autopilot"),
  model: word,
  checks: z.array(checkDraft).catch([]),
  isJudged: z.boolean().catch(true),
});
export type HomeworkDraft = z.infer<typeof homeworkDraft>;

type Preset = { readonly mode?: ComposerMode | undefined; readonly projectId?: string | undefined };

export function emptyDraft({ mode = "homework", projectId }: Preset = {}): HomeworkDraft {
  return {
    mode,
    text: "",
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
  const parsed = homeworkDraft.safeParse(stored);
  return parsed.success ? parsed.data : emptyDraft(preset);
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
