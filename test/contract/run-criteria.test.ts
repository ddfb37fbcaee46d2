// What a run cannot be measured by, and limits that cannot hold, are refused when the run is handed over, with what to do.

import { expect, test } from "vitest";
import { testApp } from "../helpers/test-app.ts";
import { makeWorld } from "../helpers/test-world.ts";

const app = await testApp({ maxConcurrentRuns: 1_000 });
const anna = await app.signUp("anna");
const ben = await app.signUp("ben");
const world = await makeWorld(app.admin, { [anna.id]: "owner" });
const foreign = await makeWorld(app.admin, { [ben.id]: "owner" });

const runs = "/api/homework/runs";
const create = (over: object = {}) =>
  app.call("POST", runs, anna.session, { body: { objective: "Write the report", ...over } });
const created = async (over: object) => {
  const { body } = await create(over);
  return (await app.call("GET", `${runs}/${body.run_id}`, anna.session)).body.run;
};

test("a run that is not to be judged has no judge of the platform's", async () => {
  const words = { kind: "document_has", words_at_least: 300 };
  const run = await created({ judge: false, completion_criteria: [words] });
  expect(run.completion_criteria.map(({ kind }: { kind: string }) => kind)).toEqual(["document_has", "plan_complete"]);
  expect(run.judge).toBe(false);
});

const criterion = (given: object) => ({ completion_criteria: [given] });
const nowhere = "00000000-0000-7000-8000-000000000000";
test.for([
  ["a command", criterion({ kind: "command_succeeds", program: "npm", args: [] }), "needs the agent engine"],
  ["a file", criterion({ kind: "file_exists", path: "a.txt" }), "needs the agent engine"],
  ["bananas", criterion({ kind: "entity_count", entity: "banana", at_least: 1 }), "use one of task, goal"],
  [
    "a thing that is not there",
    criterion({ kind: "entity_state", entity_id: nowhere, state: "done" }),
    "nothing with the id",
  ],
  [
    "a foreign thing",
    criterion({ kind: "entity_state", entity_id: foreign.things.task, state: "done" }),
    "may not see it",
  ],
  [
    "a state that there is not",
    criterion({ kind: "entity_state", entity_id: world.things.task, state: "ripe" }),
    "use one of todo",
  ],
  ["a task as document", criterion({ kind: "document_has", document_id: world.things.task }), "not a document"],
] as const)("%s cannot be checked, which is said when it is handed over", async ([, over, words]) => {
  const answer = await create(over);
  expect([answer.status, answer.body.error.code]).toEqual([422, "unprocessable"]);
  expect(answer.body.error.message).toContain(words);
});

test("a hard limit needs models with a price", async () => {
  const models = { planner: "openai-compatible/unpriced-model" };
  const hard = { max_cost_usd: 1, hard: true };
  const answer = await create({ models, budgets: hard });
  expect([answer.status, answer.body.error.message]).toEqual([422, expect.stringContaining("unpriced-model")]);
  expect((await create({ models, budgets: { ...hard, hard: false } })).status).toBe(201);
  expect((await create({ budgets: hard })).status).toBe(201);
});
