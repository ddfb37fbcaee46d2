// A request and another transaction that wait for each other: PostgreSQL gives one of the two up, and the request is done again.

import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { testApp } from "../helpers/test-app.ts";
import { makeWorld } from "../helpers/test-world.ts";

const app = await testApp();
const anna = await app.signUp("anna");
const world = await makeWorld(app.admin, { [anna.id]: "owner" });

async function otherSession(): Promise<pg.Client> {
  const client = new pg.Client(app.admin.options);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

const untilOneWaits = () =>
  expect
    .poll(async () => {
      const { rows } = await app.admin.query(
        "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
      );
      return rows.length;
    })
    .toBe(1);

test("a request that was given up for another's sake is done again, once", async () => {
  const other = await otherSession();
  // The request waits first, so it is the one that looks for a ring and is given up.
  await other.query("set deadlock_timeout = '1min'");
  await other.query("begin");
  await other.query("update homework.onto_change_counters set last_seq = last_seq where project_id = $1", [
    world.projectId,
  ]);
  const one = `/api/projects/${world.projectId}/tasks/${world.things.task}`;
  const { body: before } = await app.call("GET", one, anna.session);
  const answer = app.call("PATCH", one, anna.session, { body: { version: before.version, title: "Buy lamps" } });
  await untilOneWaits();
  await other.query("select from homework.onto_tasks where id = $1 for update", [world.things.task]);
  await other.query("commit");
  const { status, body } = await answer;
  expect([status, body.title, body.version]).toEqual([200, "Buy lamps", before.version + 1]);
});
