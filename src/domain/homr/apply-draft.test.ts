import { expect, test } from "vitest";
import { activitiesOf, makeOutcome, makeState, makeTask, makeWorld } from "../../../test/helpers/make-outcome.ts";
import { applyDraft, missDraft } from "./apply-draft.ts";
import { noIntent } from "./outcome.ts";
import type { OutcomeDraft } from "./outcome-draft.ts";
import type { OutcomeState } from "./outcome-state.ts";

const draft: OutcomeDraft = {
  name: "Lamps",
  intent: { ...noIntent, summary: "Sell lamps" },
  approach: "A plain page",
  tasks: [
    { title: "Choose lamps", description: "Ten of them", after: [] },
    { title: "Write the page", description: "", after: [0] },
  ],
};

const empty = (status: "dormant" | "active" = "dormant"): OutcomeState =>
  makeState({ outcome: makeOutcome({ status, intent: noIntent, approach: null, nextNumber: 1 }), tasks: [] });

test("a draft becomes intent, approach and tasks that wait for each other; nothing begins", () => {
  const { state, effects } = applyDraft(empty(), draft, makeWorld());
  expect(state.outcome).toMatchObject({
    intent: draft.intent,
    approach: { version: 1, text: "A plain page" },
    nextNumber: 3,
  });
  expect(state.tasks.map(({ title, madeBy, status }) => [title, madeBy, status])).toEqual([
    ["Choose lamps", "planner", "pending"],
    ["Write the page", "planner", "pending"],
  ]);
  expect(state.tasks[1]?.dependsOn).toEqual([state.tasks[0]?.id]);
  expect(effects.map(({ kind }) => kind)).toEqual(["keep_approach", "log"]);
});

test("a name that its owner gave stays; one that is how the brief begins gives way to the draft's", () => {
  const nameAfter = (name: string) => {
    const state = empty();
    const outcome = { ...state.outcome, name, brief: "I want to sell lamps\nand shades" };
    return applyDraft({ ...state, outcome }, draft, makeWorld()).state.outcome.name;
  };
  expect(["Light", "I want to sell lamps"].map(nameAfter)).toEqual(["Light", "Lamps"]);
});

test("in an outcome that was started already its first task begins", () => {
  const { effects } = applyDraft(empty("active"), draft, makeWorld());
  expect(effects.filter(({ kind }) => kind === "start_run")).toHaveLength(1);
});

test("an outcome whose owner has written a task meanwhile stays as it is", () => {
  const written = makeState({ outcome: makeOutcome({ intent: noIntent, nextNumber: 2 }), tasks: [makeTask(1)] });
  const move = applyDraft(written, draft, makeWorld());
  expect(move.state).toBe(written);
  expect(activitiesOf(move)).toMatchObject([{ summary: expect.stringContaining("too late") }]);
});

test("an approach that the owner wrote is kept", () => {
  const approach = { version: 2, text: "Mine" };
  const state = { ...empty(), outcome: { ...empty().outcome, approach } };
  expect(applyDraft(state, draft, makeWorld()).state.outcome.approach).toEqual(approach);
});

test("a draft that could not be made is said in the log", () => {
  expect(activitiesOf(missDraft(empty(), "no key"))).toMatchObject([{ summary: expect.stringContaining("no key") }]);
});

test("an outcome that waits for a draft that could not be made is paused, and its owner told; one that has a task goes on", () => {
  const { state, effects } = missDraft(empty("active"), "no key");
  expect(state.outcome.status).toBe("paused");
  expect(effects.map(({ kind }) => kind)).toEqual(["log", "notify_owner"]);
  const outcome = makeOutcome({ intent: noIntent, nextNumber: 2 });
  const written = makeState({ outcome, tasks: [makeTask(1)] });
  expect(missDraft(written, "no key").state).toBe(written);
});
