import { expect, test } from "vitest";
import { makeOutcome, makeState, makeTask } from "../../../test/helpers/make-outcome.ts";
import { readObservation } from "../../domain/homr/observe/read-observation.ts";
import { readDraft } from "../../domain/homr/outcome-draft.ts";
import { askedQuestion } from "../../domain/homr/questions/escalate.ts";
import type { ModelRole } from "../model.ts";
import { demoCall } from "./demo-model.ts";

const ask = (role: ModelRole, view: unknown): unknown => {
  const request = { role, view, system: "", messages: [], tools: [], format: "json", maxOutputTokens: null } as const;
  return JSON.parse(demoCall({ ...request, cacheKey: "demo" }).text);
};

const draft = (brief: string) => {
  const read = readDraft(ask("planner", { kind: "outcome_draft", name: "", brief, memories: [] }));
  if (!read.isRead) throw new Error(read.why);
  return read.draft;
};

test("a brief becomes an intent, an approach and five tasks: a basis, three parts, and one that puts them together", () => {
  const { tasks, intent, approach } = draft("A street festival for the neighbourhood");
  expect(tasks.map(({ after }) => after)).toEqual([[], [0], [0], [0], [1, 2, 3]]);
  expect(tasks[0]?.title).toBe("Draft “Purpose and guests” for “A street festival for the neighbourhood”");
  expect(intent.items.map(({ title }) => title)).toEqual([
    "Purpose and guests",
    "Place and date",
    "People and roles",
    "Money and material",
  ]);
  expect(approach).toContain("rules, no AI");
});

test("a brief that says nothing becomes one task, whose run asks what is meant", () => {
  expect(draft("x").tasks).toMatchObject([{ title: "x", after: [] }]);
});

const output = [
  "## Open questions\n- Who should come?\n- What will guests take home?",
  '## What it made and changed\n### document "Draft: Purpose", made\n## Goal\n\nA day for all.\n\n## Next step\n\nBegin.',
].join("\n\n");

/** #1 has ended; `waiting` tasks wait for it. */
function observe(waiting: number, over: Parameters<typeof makeState>[0] = {}, result = "completed") {
  const first = makeTask(1, { status: "completed" });
  const others = Array.from({ length: waiting }, (_, n) => makeTask(n + 2, { dependsOn: [first.id] }));
  const state = makeState({ outcome: makeOutcome(), tasks: [first, ...others], ...over });
  const view = { kind: "observer", state, taskId: first.id, attempt: 1, result, why: "it stopped", output };
  const read = readObservation(ask("observer", view), state);
  if (!read.isRead) throw new Error(read.why);
  expect(read.leftOut).toEqual([]);
  return { state, seen: read.result };
}

test("a page that several tasks wait for is told to them, with what it covers", () => {
  const { seen } = observe(2);
  expect(seen.discoveries).toMatchObject([{ type: "dependency", relevantTasks: [2, 3] }]);
  expect(seen.discoveries[0]?.content).toContain("it covers Goal and Next step");
  expect(seen.ambiguity).toBeNull();
});

test("questions that the work leaves open are put to a person before the one task that has to settle them", () => {
  const { seen, state } = observe(1);
  expect(seen.discoveries).toEqual([]);
  expect(seen.ambiguity).toMatchObject({
    affectedTasks: [2],
    evidence: ["Who should come?", "What will guests take home?"],
  });
  const need = { evidence: seen.ambiguity?.evidence };
  const asked = askedQuestion.parse(ask("observer", { kind: "escalation", state, need }));
  expect(asked.options.map(({ label }) => label)).toEqual([
    "Who should come?",
    "What will guests take home?",
    "Go on as drafted",
  ]);
});

test("a person is asked once", () => {
  const decision = { id: "d", content: "Chosen by the user: A", sourceTaskId: null, atMs: 0, isTainted: false };
  const { context } = makeState({ outcome: makeOutcome(), tasks: [] });
  const decided = { ...decision, madeBy: "human", context: "", affectedAreas: [] } as const;
  expect(observe(1, { context: { ...context, decisions: [decided] } }).seen.ambiguity).toBeNull();
});

test("an attempt that failed is no success", () => {
  expect(observe(1, {}, "failed").seen).toMatchObject({ onTrack: false, quality: "needs_work", ambiguity: null });
});

test("a review finds tasks that nobody wrote anything for, and nothing else", () => {
  const state = makeState({ outcome: makeOutcome(), tasks: [] });
  const review = (text: string) =>
    ask("judge", {
      kind: "outcome_review",
      state,
      cycle: 1,
      work: { tasks: [{ number: 1, title: "A", artifacts: [{ text }] }] },
    });
  expect(review("A whole page")).toMatchObject({ findings: [] });
  expect(review("")).toMatchObject({ findings: [{ severity: "high" }] });
  expect(review("A page, TBD")).toMatchObject({ findings: [{ evidence: "TBD" }] });
});
