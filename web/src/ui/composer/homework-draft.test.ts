import { expect, test } from "vitest";
import { advancedCount, emptyCheck, emptyDraft, isEmptyDraft, readDraft } from "./homework-draft.ts";

test("a stored draft is read as it was", () => {
  const draft = { ...emptyDraft(), text: "Plan", maxMinutes: 5, checks: [{ ...emptyCheck("a"), rubric: "good" }] };
  expect(readDraft(JSON.parse(JSON.stringify(draft)))).toEqual(draft);
});

test("fields that make no sense any more fall back, the words stay", () =>
  expect(readDraft({ ...emptyDraft(), text: "Plan", scope: "galaxy", maxTokens: { no: 1 }, checks: [{}] })).toEqual({
    ...emptyDraft(),
    text: "Plan",
  }));

test("something else altogether is an empty draft with its preset", () =>
  expect(readDraft([1, 2], { projectId: "p" })).toEqual(emptyDraft({ projectId: "p" })));

test("a draft of a project's page begins in that project", () =>
  expect(emptyDraft({ projectId: "p" })).toMatchObject({ scope: "project", projectIds: ["p"] }));

test("choosing a mode is no draft, writing a word is", () => {
  expect(isEmptyDraft({ ...emptyDraft(), mode: "chat" })).toBe(true);
  expect(isEmptyDraft({ ...emptyDraft(), text: "P" })).toBe(false);
  expect(isEmptyDraft(emptyDraft({ projectId: "p" }), { projectId: "p" })).toBe(true);
});

test("what is set under Advanced is counted", () => {
  expect(advancedCount(emptyDraft())).toBe(0);
  expect(advancedCount({ ...emptyDraft(), maxIterations: 3, model: " ", writeMode: "per_write" })).toBe(2);
  expect(advancedCount({ ...emptyDraft(), isJudged: false })).toBe(1);
  expect(advancedCount({ ...emptyDraft(), isCostHard: true, checks: [emptyCheck("a"), emptyCheck("b")] })).toBe(3);
});
