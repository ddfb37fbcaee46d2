import { expect, test } from "vitest";
import { makeOutcome, makeState, makeTask, taskId } from "../../../test/helpers/make-outcome.ts";
import { briefOf } from "../../domain/homr/context/brief.ts";
import { taskBrief } from "../../prompts/task-brief.ts";
import { readOutcome } from "./desk.ts";

const kept = { sourceTaskId: taskId(1), atMs: 0, isTainted: false };

test("what other tasks found and what was chosen is read from the brief, as its prompt says it", () => {
  const tasks = [makeTask(1, { status: "completed" }), makeTask(2)];
  const empty = makeState({ outcome: makeOutcome(), tasks });
  const found = {
    ...kept,
    id: "1",
    type: "dependency",
    content: "The key hangs next door",
    audience: "every",
  } as const;
  const decision = {
    ...kept,
    id: "2",
    content: "Question: Which?\nChosen by the user: The red one",
    madeBy: "human",
  } as const;
  const state = {
    ...empty,
    context: {
      ...empty.context,
      discoveries: [{ ...found, resolvedAtMs: null, memoryId: null }],
      decisions: [{ ...decision, sourceTaskId: null, context: "", affectedAreas: [] }],
    },
  };
  const brief = taskBrief(briefOf(state, makeTask(2)), "f3nc3f3nc3");
  expect(readOutcome(brief)).toEqual({ name: "A shop for lamps", known: ["The red one", "The key hangs next door"] });
});

test("a run that stands by itself has no outcome", () => expect(readOutcome(null)).toBeNull());
