// From the composer's form to the request, what has to be right before it is sent, and which field a refusal is about. Pure.

import type { routes } from "../../../../src/protocol/api.ts";
import { ApiError } from "../../../../src/protocol/api-error.ts";
import { chatLimits, foreignTextLimits, limits, runLimits } from "../../../../src/protocol/kinds.ts";
import type { RouteInput } from "../../../../src/protocol/route.ts";
import { givenTexts } from "../given-texts.ts";
import { type CheckDraft, type HomeworkDraft, isForAgents } from "./homework-draft.ts";

export type NewRun = RouteInput<typeof routes.runs.create>["body"];
export type GivenCheck = NonNullable<NewRun["completion_criteria"]>[number];
type Budgets = NonNullable<NewRun["budgets"]>;

/** Field of the form → what is wrong with it. */
export type FieldErrors = Record<string, string>;

const minuteMs = 60_000;
const minutesMax = runLimits.runningMs / minuteMs;
/** Checks of documents: as much as anyone asks for. */
const wordsMax = 1_000_000;
const sourcesMax = 1_000;
const countMax = 10_000;

export function requestOf(draft: HomeworkDraft): NewRun {
  const isAgent = draft.engine === "agent";
  const model = isAgent ? "" : draft.model.trim();
  return {
    objective: draft.text.trim(),
    ...(draft.foreignText.trim() === "" ? {} : { foreign_texts: givenTexts(draft.foreignText) }),
    scope: draft.scope,
    project_ids: draft.scope === "global" ? [] : draft.projectIds,
    budgets: budgetsOf(draft),
    permissions: { write_mode: isAgent ? "autopilot" : draft.writeMode },
    completion_criteria: draft.checks.map(checkOf),
    ...(isAgent ? agentOf(draft) : {}),
    ...(draft.isJudged ? {} : { judge: false }),
    ...(model === "" ? {} : { models: { planner: model, executor: model } }),
  };
}

const agentOf = ({ workFolder }: HomeworkDraft): Pick<NewRun, "engine" | "work_folder"> => ({
  engine: "agent",
  ...(workFolder.trim() === "" ? {} : { work_folder: workFolder.trim() }),
});

function budgetsOf(draft: HomeworkDraft): Budgets {
  const minutes = given(draft.maxMinutes);
  return {
    ...field("max_iterations", given(draft.maxIterations)),
    ...field("max_wall_clock_ms", minutes === undefined ? undefined : Math.round(minutes * minuteMs)),
    ...field("max_cost_usd", given(draft.maxCostUsd)),
    ...field("max_total_tokens", given(draft.maxTokens)),
    ...(draft.isCostHard && draft.engine !== "agent" && given(draft.maxCostUsd) !== undefined ? { hard: true } : {}),
  };
}

function field<Name extends keyof Budgets>(name: Name, value: number | undefined): Pick<Budgets, Name> {
  return (value === undefined ? {} : { [name]: value }) as Pick<Budgets, Name>;
}

const given = (value: number | string): number | undefined =>
  value === "" || Number.isNaN(Number(value)) ? undefined : Number(value);

export function checkOf(check: CheckDraft): GivenCheck {
  switch (check.kind) {
    case "entity_exists":
      return { kind: check.kind, entity: check.entity, title_like: check.titleLike.trim() };
    case "entity_count":
      return { kind: check.kind, entity: check.entity, at_least: given(check.atLeast) ?? 1 };
    case "document_has":
      return {
        kind: check.kind,
        title_like: check.titleLike.trim(),
        headings: linesOf(check.headings),
        words_at_least: given(check.wordsAtLeast) ?? 0,
        sources_at_least: given(check.sourcesAtLeast) ?? 0,
      };
    case "judge":
      return { kind: check.kind, rubric: check.rubric.trim() };
    case "http_ok":
      return { kind: check.kind, url: check.url.trim() };
    case "command_succeeds": {
      const [program = "", ...args] = splitCommand(check.command);
      return { kind: check.kind, program, args };
    }
    case "file_exists":
      return { kind: check.kind, path: check.path.trim() };
  }
}

/** Words; one with blanks in it stands in quotes. No shell ever sees them. */
const splitCommand = (text: string): string[] =>
  [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, bare]) => double ?? single ?? bare ?? "");

const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

export function problemsOf(draft: HomeworkDraft): FieldErrors {
  const foreignText =
    draft.foreignText === "" ? null : textProblem(draft.foreignText, null, foreignTextLimits.together);
  if (draft.mode === "chat")
    return said({ text: textProblem(draft.text, "Write something first", chatLimits.text), foreignText });
  return said({
    foreignText,
    text: textProblem(draft.text, "Say what you want done", runLimits.objective),
    projectIds: scopeProblem(draft),
    maxIterations: figureProblem(draft.maxIterations, { from: 1, to: runLimits.iterations, isWhole: true }),
    maxMinutes: figureProblem(draft.maxMinutes, { from: 1, to: minutesMax }),
    maxCostUsd: figureProblem(draft.maxCostUsd, { from: 0.000_001, to: runLimits.costUsd }),
    maxTokens: figureProblem(draft.maxTokens, { from: 1, to: runLimits.tokens, isWhole: true }),
    model: modelProblem(draft.model.trim()),
    ...Object.fromEntries(draft.checks.flatMap((check, position) => checkProblems(check, position, draft.engine))),
  });
}

function said(problems: Readonly<Record<string, string | null>>): FieldErrors {
  return Object.fromEntries(Object.entries(problems).filter((entry): entry is [string, string] => entry[1] !== null));
}

function textProblem(text: string, ifEmpty: string | null, most: number): string | null {
  if (text.trim() === "") return ifEmpty;
  if (text.trim().length <= most) return null;
  return `At most ${most.toLocaleString("en")} characters; put what is longer in a document`;
}

function scopeProblem({ scope, projectIds }: HomeworkDraft): string | null {
  if (scope === "project" && projectIds.length !== 1) return "Choose a project";
  if (scope === "multi_project" && projectIds.length === 0) return "Choose at least one project";
  return projectIds.length > runLimits.projects ? `At most ${runLimits.projects} projects` : null;
}

type Bounds = { readonly from: number; readonly to: number; readonly isWhole?: boolean };

function figureProblem(value: number | string, { from, to, isWhole = false }: Bounds): string | null {
  if (value === "") return null;
  const number = Number(value);
  if (Number.isNaN(number)) return "Must be a number";
  if (isWhole && !Number.isInteger(number)) return "Must be a whole number";
  if (number < from) return isWhole || from === 1 ? `At least ${from}` : "More than nothing";
  return number > to ? `At most ${to.toLocaleString("en")}` : null;
}

function modelProblem(model: string): string | null {
  return model === "" || /^[\w.:/@+-]{1,200}$/.test(model) ? null : "A name such as anthropic/claude-sonnet-4-5";
}

/** Field of the form → what is wrong with it, or null. */
export function checkProblems(
  check: CheckDraft,
  position: number,
  engine: HomeworkDraft["engine"],
): readonly (readonly [string, string | null])[] {
  const at = (name: keyof CheckDraft, problem: string | null) => [`checks.${position}.${name}`, problem] as const;
  if (isForAgents(check.kind) && engine !== "agent")
    return [at("kind", "Only agents work in a folder. Choose an agent, or another check")];
  switch (check.kind) {
    case "entity_exists":
      return [at("titleLike", ifBlank(check.titleLike, "Say how it is called"))];
    case "entity_count":
      return [at("atLeast", missing(check.atLeast) ?? figureProblem(check.atLeast, whole(1, countMax)))];
    case "document_has":
      return [
        at("titleLike", check.titleLike.length > limits.title ? "Too long" : null),
        at("headings", linesOf(check.headings).length > 50 ? "At most 50 headings" : null),
        at("wordsAtLeast", figureProblem(check.wordsAtLeast, whole(0, wordsMax))),
        at("sourcesAtLeast", figureProblem(check.sourcesAtLeast, whole(0, sourcesMax))),
      ];
    case "judge":
      return [at("rubric", ifBlank(check.rubric, "Say what the judge should look for"))];
    case "command_succeeds":
      return [at("command", ifBlank(check.command, "Such as npm test"))];
    case "file_exists":
      return [at("path", ifBlank(check.path, "A path in the work folder"))];
    case "http_ok":
      return [at("url", isWebAddress(check.url.trim()) ? null : "An address that begins with https:// or http://")];
  }
}

const whole = (from: number, to: number): Bounds => ({ from, to, isWhole: true });
const ifBlank = (text: string, problem: string): string | null => (text.trim() === "" ? problem : null);
const missing = (value: number | string): string | null => (value === "" ? "Say how many" : null);

function isWebAddress(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);
}

const fieldOfPath: Readonly<Record<string, string>> = {
  objective: "text",
  foreign_texts: "foreignText",
  "foreign_texts.0.text": "foreignText",
  text: "text",
  project_ids: "projectIds",
  "budgets.max_iterations": "maxIterations",
  "budgets.max_wall_clock_ms": "maxMinutes",
  "budgets.max_cost_usd": "maxCostUsd",
  "budgets.max_total_tokens": "maxTokens",
  models: "model",
  "models.planner": "model",
  "models.executor": "model",
};

/** What the server refused, by field; the rest is for a notice by the button. */
export function refusalOf(error: unknown): FieldErrors {
  if (!(error instanceof ApiError) || error.code !== "invalid_request") return {};
  const { problems } = error.details;
  if (!Array.isArray(problems)) return {};
  return Object.fromEntries(problems.flatMap(fieldProblem));
}

function fieldProblem(problem: unknown): readonly (readonly [string, string])[] {
  if (typeof problem !== "object" || problem === null) return [];
  const { at, problem: text } = problem as { readonly at?: unknown; readonly problem?: unknown };
  if (typeof at !== "string" || typeof text !== "string") return [];
  const path = at.replace(/^body\./, "");
  const [, position, name] = /^completion_criteria\.(\d+)\.(\w+)/.exec(path) ?? [];
  const field = position && name ? `checks.${position}.${checkField(name)}` : fieldOfPath[path];
  return field === undefined ? [] : [[field, text.charAt(0).toUpperCase() + text.slice(1)]];
}

/** A program and its arguments are one field. */
const checkField = (name: string): string => (name === "program" || name === "args" ? "command" : camelCase(name));

const camelCase = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Fields that are in sight without opening "Advanced". */
export function isAdvanced(field: string): boolean {
  return !["text", "foreignText", "projectIds"].includes(field);
}
