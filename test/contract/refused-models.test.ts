// A model that cannot be asked is refused before anything is made or goes on, wherever one can be named; one that can be asked is taken.

import { expect, test } from "vitest";
import { insertOutcome } from "../helpers/outcome-rows.ts";
import { insertRun } from "../helpers/run-rows.ts";
import { testApp } from "../helpers/test-app.ts";

const app = await testApp({ maxConcurrentRuns: 100 });
const anna = await app.signUp("anna");
const runs = "/api/homework/runs";

const rowWith = async (table: string, id: string, model: string) => {
  await app.admin.query(`update homework.${table} set models = $2 where id = $1`, [
    id,
    JSON.stringify({ planner: model }),
  ]);
  return id;
};
const stoppedRun = () => insertRun(app.admin, anna.id, "stopped");
const endedRun = () => insertRun(app.admin, anna.id, "canceled");
const dormant = async () => (await insertOutcome(app.admin, anna.id, { status: "dormant" })).outcomeId;
const task = { title: "Draw it" };

type Call = readonly [method: string, url: string, body?: object];

const calls: readonly (readonly [what: string, (model: string) => Promise<Call>])[] = [
  ["a run", async (planner) => ["POST", runs, { objective: "x", models: { planner } }]],
  ["a run whose judge", async (judge) => ["POST", runs, { objective: "x", models: { judge } }]],

  [
    "a follow-up",
    async (planner) => ["POST", `${runs}/${await endedRun()}/continue`, { objective: "x", models: { planner } }],
  ],
  [
    "a follow-up of a run that",
    async (model) => [
      "POST",
      `${runs}/${await rowWith("homework_runs", await endedRun(), model)}/continue`,
      { objective: "x" },
    ],
  ],
  [
    "a run that is resumed and",
    async (model) => ["POST", `${runs}/${await rowWith("homework_runs", await stoppedRun(), model)}/resume`, {}],
  ],
  ["an outcome", async (planner) => ["POST", "/api/outcomes", { name: "x", tasks: [task], models: { planner } }]],
  [
    "an outcome whose observer",
    async (model) => ["POST", "/api/outcomes", { name: "x", tasks: [task], homr: { observation_model: model } }],
  ],
  [
    "an outcome that is edited",
    async (planner) => ["PATCH", `/api/outcomes/${await dormant()}`, { version: 1, models: { planner } }],
  ],
  [
    "an outcome that is started and",
    async (model) => ["POST", `/api/outcomes/${await rowWith("outcomes", await dormant(), model)}/start`],
  ],
  [
    "HOMЯ of an outcome",
    async (model) => [
      "PATCH",
      `/api/outcomes/${await dormant()}/homr/config`,
      { config: { observation_model: model } },
    ],
  ],
];

const send = async ([method, url, body]: Call) =>
  app.call(method, url, anna.session, body === undefined ? {} : { body });
const countThings = async () =>
  (
    await app.admin.query(
      "select (select count(*) from homework.homework_runs) + (select count(*) from homework.outcomes) as n",
    )
  ).rows[0].n;

test.for(calls)("%s names a model without a key: refused, and nothing is made", async ([, toCall]) => {
  const call = await toCall("openai/keyless");
  const before = await countThings();
  const { status, body } = await send(call);
  expect([status, body.error?.message]).toEqual([400, expect.stringContaining("openai/keyless has no key.")]);
  expect(await countThings()).toBe(before);
});

test.for(calls)("%s names a model that can be asked: taken", async ([, toCall]) => {
  const { status } = await send(await toCall("openai/gpt-6-luna"));
  expect([200, 201]).toContain(status);
});
