import { expect, test } from "vitest";
import { routes } from "../../../../src/protocol/api.ts";
import { ApiError } from "../../../../src/protocol/api-error.ts";
import { type CheckDraft, emptyCheck, emptyDraft, type HomeworkDraft } from "./homework-draft.ts";
import { isAdvanced, problemsOf, refusalOf, requestOf } from "./homework-request.ts";

const projectId = "01890000-0000-7000-8000-000000000001";
const makeDraft = (changes: Partial<HomeworkDraft> = {}): HomeworkDraft => ({
  ...emptyDraft(),
  text: "Plan a party",
  ...changes,
});
const makeCheck = (changes: Partial<CheckDraft>): CheckDraft => ({ ...emptyCheck("c"), ...changes });

const filled: readonly CheckDraft[] = [
  makeCheck({ kind: "entity_exists", entity: "goal", titleLike: "Guests " }),
  makeCheck({ kind: "entity_count", entity: "task", atLeast: 5 }),
  makeCheck({ kind: "document_has", titleLike: "Menu", headings: "Starters\n\n Mains ", wordsAtLeast: 200 }),
  makeCheck({ kind: "judge", rubric: "It is cheap" }),
  makeCheck({ kind: "http_ok", url: "https://example.com/menu" }),
];

test.each([
  ["npm test", "npm", ["test"]],
  ["  sh  -c 'echo a b' ", "sh", ["-c", "echo a b"]],
  ['grep "" "two words"', "grep", ["", "two words"]],
])("the command %s is a program and its arguments", (command, program, args) => {
  const draft = makeDraft({ engine: "agent", checks: [makeCheck({ kind: "command_succeeds", command })] });
  expect(requestOf(draft).completion_criteria).toEqual([{ kind: "command_succeeds", program, args }]);
  expect(problemsOf(draft)).toEqual({});
});

test("a file is named by its path, and only an agent can be asked for one", () => {
  const checks = [makeCheck({ kind: "file_exists", path: " docs/plan.md " })];
  expect(requestOf(makeDraft({ engine: "agent", checks })).completion_criteria).toEqual([
    { kind: "file_exists", path: "docs/plan.md" },
  ]);
  expect(problemsOf(makeDraft({ engine: "agent", checks }))).toEqual({});
  expect(problemsOf(makeDraft({ engine: "planner", checks }))).toEqual({
    "checks.0.kind": expect.stringContaining("Only agents work in a folder"),
  });
});

test("what an agent cannot keep is not sent, whatever was chosen before", () => {
  const chosen = { writeMode: "per_write", model: "openai/gpt-5", maxCostUsd: 1, isCostHard: true } as const;
  expect(requestOf(makeDraft({ engine: "agent", ...chosen }))).toEqual({
    objective: "Plan a party",
    engine: "agent",
    scope: "global",
    project_ids: [],
    budgets: { max_cost_usd: 1 },
    permissions: { write_mode: "autopilot" },
    completion_criteria: [],
  });
});

test("a command that is refused is told at its field", () => {
  const problems = [{ at: "body.completion_criteria.0.program", problem: "is not there" }];
  expect(refusalOf(new ApiError(400, "invalid_request", "no", { problems }))).toEqual({
    "checks.0.command": "Is not there",
  });
});

test("an objective alone asks for everything else as it usually is", () =>
  expect(requestOf(makeDraft({ text: "  Plan a party\n" }))).toEqual({
    objective: "Plan a party",
    scope: "global",
    project_ids: [],
    budgets: {},
    permissions: { write_mode: "autopilot" },
    completion_criteria: [],
  }));

test("limits are sent in the contract's units", () =>
  expect(
    requestOf(makeDraft({ maxIterations: 7, maxMinutes: 1.5, maxCostUsd: 0.25, maxTokens: 90_000, isCostHard: true }))
      .budgets,
  ).toEqual({
    max_iterations: 7,
    max_wall_clock_ms: 90_000,
    max_cost_usd: 0.25,
    max_total_tokens: 90_000,
    hard: true,
  }));

test("a hard limit without a cost is none", () =>
  expect(requestOf(makeDraft({ isCostHard: true })).budgets).toEqual({}));

test("projects chosen before everything was chosen again are not sent", () =>
  expect(requestOf(makeDraft({ scope: "global", projectIds: [projectId] })).project_ids).toEqual([]));

test("a chosen model plans and does the work", () =>
  expect(requestOf(makeDraft({ model: " openai/gpt-5 " })).models).toEqual({
    planner: "openai/gpt-5",
    executor: "openai/gpt-5",
  }));

test("checks of one's own become what the contract asks for", () =>
  expect(requestOf(makeDraft({ checks: [...filled] })).completion_criteria).toEqual([
    { kind: "entity_exists", entity: "goal", title_like: "Guests" },
    { kind: "entity_count", entity: "task", at_least: 5 },
    {
      kind: "document_has",
      title_like: "Menu",
      headings: ["Starters", "Mains"],
      words_at_least: 200,
      sources_at_least: 0,
    },
    { kind: "judge", rubric: "It is cheap" },
    { kind: "http_ok", url: "https://example.com/menu" },
  ]));

test.for<[string, Partial<HomeworkDraft>]>([
  ["an objective alone", {}],
  ["a text of someone else", { foreignText: "a".repeat(32_000) }],
  ["every kind of check", { checks: [...filled] }],
  ["one project", { scope: "project", projectIds: [projectId] }],
  ["all limits at their largest", { maxIterations: 10_000, maxMinutes: 43_200, maxCostUsd: 100_000, maxTokens: 1e12 }],
])("the contract takes %s", ([, changes]) => {
  const draft = makeDraft(changes);
  expect(problemsOf(draft)).toEqual({});
  expect(routes.runs.create.body?.safeParse(requestOf(draft)).success).toBe(true);
});

test.for<[string, Partial<HomeworkDraft>, string]>([
  ["no objective", { text: " \n" }, "text"],
  ["an objective as long as a book", { text: "a".repeat(32_001) }, "text"],
  ["a text of someone else as long as a book", { foreignText: "a".repeat(32_001) }, "foreignText"],
  ["no project chosen", { scope: "project" }, "projectIds"],
  ["two projects where one is meant", { scope: "project", projectIds: [projectId, "x"] }, "projectIds"],
  ["no iteration", { maxIterations: 0 }, "maxIterations"],
  ["half an iteration", { maxIterations: 1.5 }, "maxIterations"],
  ["more time than there is", { maxMinutes: 43_201 }, "maxMinutes"],
  ["no money", { maxCostUsd: 0 }, "maxCostUsd"],
  ["a word for a number", { maxTokens: "many" }, "maxTokens"],
  ["a model with spaces", { model: "my best model" }, "model"],
  ["a thing without a name", { checks: [makeCheck({ kind: "entity_exists" })] }, "checks.0.titleLike"],
  [
    "how many is not said",
    { checks: [filled[0] ?? makeCheck({}), makeCheck({ kind: "entity_count" })] },
    "checks.1.atLeast",
  ],
  ["a judge without a question", { checks: [makeCheck({ kind: "judge" })] }, "checks.0.rubric"],
  ["an address of another kind", { checks: [makeCheck({ kind: "http_ok", url: "ftp://x.test" })] }, "checks.0.url"],
])("%s is said next to its field", ([, changes, field]) =>
  expect(Object.keys(problemsOf(makeDraft(changes)))).toEqual([field]),
);

test("a chat only needs words", () =>
  expect(problemsOf(makeDraft({ mode: "chat", scope: "project", maxIterations: 0 }))).toEqual({}));

test("what the server refuses is said next to its field", () => {
  const problems = [
    { at: "body.objective", problem: "must not be empty" },
    { at: "body.budgets.max_cost_usd", problem: "Too big" },
    { at: "body.completion_criteria.2.words_at_least", problem: "Too small" },
    { at: "body.engine", problem: "not there" },
  ];
  expect(refusalOf(new ApiError(400, "invalid_request", "no", { problems }))).toEqual({
    text: "Must not be empty",
    maxCostUsd: "Too big",
    "checks.2.wordsAtLeast": "Too small",
  });
});

test("a refusal about no field is left to the notice", () =>
  expect(refusalOf(new ApiError(410, "deleted", "In the bin"))).toEqual({}));

test("only objective and projects are in sight without Advanced", () =>
  expect(["text", "projectIds", "maxTokens", "checks.0.url"].filter(isAdvanced)).toEqual([
    "maxTokens",
    "checks.0.url",
  ]));

test("a judge reads the result, unless that was switched off", () => {
  expect(requestOf(makeDraft({})).judge).toBeUndefined();
  expect(requestOf(makeDraft({ isJudged: false })).judge).toBe(false);
});
