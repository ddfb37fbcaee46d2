// In which prompts a message of the user stood: from the ledger, which notes with every call how many messages its prompt contained.

import { expect, test } from "vitest";
import { defaultBreakers } from "../../src/domain/run/gate/breakers.ts";
import { commitIteration } from "../../src/runs/commit-iteration.ts";
import { makeHead } from "../helpers/make-entry.ts";
import { makeResult } from "../helpers/make-run.ts";
import { type TakenRunOf, takeNext, takenRun } from "../helpers/taken-run.ts";
import { testApp } from "../helpers/test-app.ts";

const limits = { maxConcurrentRuns: 50 };
const app = await testApp(limits);
const anna = await app.signUp("anna");
const runs = "/api/homework/runs";
const executor = { id: "exec:1", title: "Look" };

const say = (runId: string, message: string) =>
  app.call("POST", `${runs}/${runId}/steer`, anna.session, { body: { message } });

/** The session's own ear: what is new is its iteration's from here on. */
const hear = (run: TakenRunOf, key: string) => run.store.hear(run.lease, makeHead({ key }), []);

async function receiptsOf(runId: string) {
  const { body } = await app.call("GET", `${runs}/${runId}`, anna.session);
  return body.run.messages.map(({ text, taken_up_in: takenUpIn, prompts }: (typeof body.run.messages)[number]) => [
    text,
    takenUpIn,
    prompts && [
      prompts.calls,
      `${prompts.first.iteration} ${prompts.first.lane}`,
      `${prompts.last.iteration} ${prompts.last.lane}`,
    ],
  ]);
}

async function commit(run: TakenRunOf): Promise<void> {
  const progress = { entitiesWritten: 1, states: [] };
  await commitIteration(run.store, run.lease, makeResult({ progress }), defaultBreakers, limits);
}

test("a message stands in every prompt from the one that had it first, also in a session under way", async () => {
  const run = await takenRun(app, anna);
  await run.asked({ key: "llm:0" });
  await say(run.runId, "Mind the stairs");
  expect(await receiptsOf(run.runId)).toEqual([["Mind the stairs", null, null]]);
  await hear(run, "heard:1");
  expect(await receiptsOf(run.runId)).toEqual([["Mind the stairs", 1, null]]);
  await run.asked({ key: "llm:1", messages: 1 });
  await run.asked({ key: "exec:1/llm:0", lane: executor, messages: 1 });
  await say(run.runId, "And the doors");
  await commit(run);

  const second = await takeNext(app, run.runId);
  await second.asked({ key: "llm:0", messages: 2, error: "529: overloaded" });
  await second.asked({ key: "llm:0", messages: 2 });
  await second.asked({ key: "exec:1/llm:0", lane: executor, messages: 2 });
  expect(await receiptsOf(run.runId)).toEqual([
    ["Mind the stairs", 1, [4, "1 planner", "2 exec:1"]],
    ["And the doors", 2, [2, "2 planner", "2 exec:1"]],
  ]);
});

test("in a fork the messages of the run it came from are counted before its own", async () => {
  const run = await takenRun(app, anna);
  await say(run.runId, "Mind the stairs");
  await hear(run, "heard:1");
  await run.asked({ key: "llm:0", messages: 1 });
  await commit(run);
  await app.call("POST", `${runs}/${run.runId}/cancel`, anna.session);
  const { body } = await app.call("POST", `${runs}/${run.runId}/fork`, anna.session, { body: {} });
  const forked = await takeNext(app, body.id);
  await say(body.id, "And the doors");
  await hear(forked, "heard:0");
  const { iteration } = forked.lease;
  // Only what was said before the fork.
  await forked.asked({ key: "llm:0", messages: 1 });
  expect(await receiptsOf(body.id)).toEqual([["And the doors", iteration, null]]);
  await forked.asked({ key: "llm:1", messages: 2 });
  const place = `${iteration} planner`;
  expect(await receiptsOf(body.id)).toEqual([["And the doors", iteration, [1, place, place]]]);
});

test("hearing a message leaves nothing unread, and is told as a step of who heard it", async () => {
  const run = await takenRun(app, anna);
  await say(run.runId, "Mind the stairs");
  await run.store.hear(run.lease, makeHead({ key: "exec:1/heard:0", lane: executor }), []);
  const { body } = await app.call("GET", `${runs}/${run.runId}`, anna.session);
  expect(body.run.unread_messages).toBe(0);
  expect(body.run.activity.entries).toEqual([
    { key: "exec:1/heard:0", summary: "Read your message", lane: "exec:1", is_failed: false },
  ]);
});
