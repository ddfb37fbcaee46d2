import { beforeEach, expect, test } from "vitest";
import type { Tx } from "../../src/db/database.ts";
import type { UserId } from "../../src/domain/identity/identity.ts";
import { realEnv } from "../../src/main/env.ts";
import { routes } from "../../src/protocol/api.ts";
import { createEntity, findEntity, updateEntity } from "../../src/store/entity/entity-store.ts";
import { contents } from "../helpers/contents.ts";
import { insertRun, type RowStatus } from "../helpers/run-rows.ts";
import { testApp } from "../helpers/test-app.ts";
import { makeWorld, type World } from "../helpers/test-world.ts";

const app = await testApp();
const anna = await app.signUp("anna");
const ben = await app.signUp("ben");
let world: World;
beforeEach(async () => {
  world = await makeWorld(app.admin, { [anna.id]: "owner", [ben.id]: "editor" });
});

const undo = (runId: string, body: object = {}, query = "", who = anna) =>
  app.call("POST", `/api/homework/runs/${runId}/undo${query}`, who.session, { body });
const status = async (runId: string) =>
  (await app.call("GET", `/api/homework/runs/${runId}`, anna.session)).body.run.status;
const asRun = <T>(runId: string, work: (tx: Tx) => Promise<T>) => app.db.asUser({ userId: anna.id, runId }, work);

/** A run that has renamed a task and made a document. */
async function worked(inStatus: RowStatus): Promise<{ runId: string; madeId: string }> {
  const runId = await insertRun(app.admin, anna.id, inStatus);
  const madeId = realEnv.newId();
  const { projectId, things } = world;
  await asRun(runId, async (tx) => {
    const by = anna.id as UserId;
    await createEntity(tx, "document", { id: madeId, projectId, by }, { title: "Made" });
    const found = await findEntity(tx, "task", projectId, things.task);
    await updateEntity(tx, "task", { id: things.task, projectId, version: found?.version ?? 0 }, { title: "Renamed" });
  });
  return { runId, madeId };
}

test("an undo takes everything back, says what, and leaves its line in the audit log and the run's history", async () => {
  const before = await contents(app.admin);
  const { runId, madeId } = await worked("canceled");
  const answer = await undo(runId);
  expect(answer.status).toBe(200);
  expect(routes.runs.undo.result.parse(answer.body)).toEqual(answer.body);
  expect(answer.body).toMatchObject({
    dry_run: false,
    ends_run: false,
    removed: { count: 1, items: [{ ref: `document:${madeId}`, title: "Made" }] },
    restored: { count: 1, items: [{ ref: `task:${world.things.task}` }] },
    conflicts: { count: 0 },
  });
  const { onto_tasks, onto_documents } = await contents(app.admin);
  expect({ onto_tasks, onto_documents }).toEqual({
    onto_tasks: before.onto_tasks,
    onto_documents: before.onto_documents,
  });
  const { rows } = await app.admin.query(
    "select action, target, details from homework.audit_log order by seq desc limit 1",
  );
  const details = { removed: 1, restored: 1, kept: 0, skipped: 0 };
  expect(rows).toEqual([{ action: "run_undone", target: `run:${runId}`, details }]);
  const shown = await app.call("GET", `/api/homework/runs/${runId}?include_events=true`, anna.session);
  expect(shown.body.events.items.at(-1)).toMatchObject({
    type: "run_undone",
    event: { removed: 1, restored: 1, left: 0 },
  });
  expect(shown.body.run.is_undone).toBe(true);
});

test("a run is undone only when nothing of it was skipped, and lists say so", async () => {
  const { runId } = await worked("canceled");
  const isUndone = async () => {
    const { body } = await app.call("GET", "/api/homework/runs", anna.session);
    return body.items.find(({ id }: { id: string }) => id === runId).is_undone;
  };
  expect(await isUndone()).toBe(false);
  expect((await undo(runId, { skip: [`task:${world.things.task}`] })).status).toBe(200);
  expect(await isUndone()).toBe(false);
  expect((await undo(runId)).status).toBe(200);
  expect(await isUndone()).toBe(true);
});

test("a second undo says that nothing is left, and writes nothing", async () => {
  const { runId } = await worked("canceled");
  await undo(runId);
  const before = await contents(app.admin);
  const again = await undo(runId);
  expect([again.status, again.body.removed.count, again.body.restored.count]).toEqual([200, 0, 0]);
  expect(await contents(app.admin)).toEqual(before);
});

test("a dry run says the same and does nothing, also for a run that is at work", async () => {
  const { runId } = await worked("queued");
  const before = await contents(app.admin);
  const answer = await undo(runId, {}, "?dry_run=true");
  expect(answer.body).toMatchObject({ dry_run: true, ends_run: true, removed: { count: 1 }, restored: { count: 1 } });
  expect(await contents(app.admin)).toEqual(before);
});

test("a run at work is not undone", async () => {
  const { runId } = await worked("queued");
  const answer = await undo(runId);
  expect([answer.status, answer.body.error.code, answer.body.error.message]).toEqual([
    409,
    "wrong_status",
    "The run is at work: pause or cancel it first",
  ]);
});

test.for(["stopped", "waiting_on_user"] as const)("a run that is %s is ended by it", async (inStatus) => {
  const { runId } = await worked(inStatus);
  expect((await undo(runId)).body).toMatchObject({ ends_run: true, removed: { count: 1 } });
  expect(await status(runId)).toBe("canceled");
  expect((await app.call("POST", `/api/homework/runs/${runId}/resume`, anna.session, { body: {} })).status).toBe(409);
});

test("a stopped run that has written nothing is left as it is", async () => {
  const runId = await insertRun(app.admin, anna.id, "stopped");
  expect((await undo(runId)).body.removed.count).toBe(0);
  expect(await status(runId)).toBe("stopped");
});

test("what somebody has changed since is listed with who and when, and nothing is done until it is named", async () => {
  const { runId, madeId } = await worked("stopped");
  const path = `/api/projects/${world.projectId}/documents/${madeId}`;
  const saved = await app.call("PATCH", path, ben.session, { body: { version: 1, title: "Ben's" } });
  expect(saved.status).toBe(200);
  const before = await contents(app.admin);
  const refused = await undo(runId);
  expect([refused.status, refused.body.error.code]).toEqual([409, "undo_conflict"]);
  expect(refused.body.error.details).toMatchObject({
    count: 1,
    conflicts: [
      {
        thing: { ref: `document:${madeId}`, title: "Made" },
        reason: "changed_since",
        who: { user_id: ben.id, name: "ben", run_id: null, at: saved.body.updated_at, op: "updated" },
        can_force: true,
      },
    ],
  });
  expect(await contents(app.admin)).toEqual(before);
  expect(await status(runId)).toBe("stopped");
  const done = await undo(runId, { skip: [`document:${madeId}`] });
  expect([done.status, done.body.skipped.count, done.body.restored.count]).toEqual([200, 1, 1]);
  expect((await app.call("GET", path, ben.session)).body.title).toBe("Ben's");
  expect((await undo(runId, { force: [`document:${madeId}`] })).body.removed.count).toBe(1);
  expect((await app.call("GET", path, ben.session)).status).toBe(404);
});

test("names that are none are refused", async () => {
  const { runId } = await worked("canceled");
  for (const skip of [["task"], ["user:00000000-0000-7000-8000-000000000000"], ["task:1"]])
    expect((await undo(runId, { skip })).status).toBe(400);
});

test("of five undos at once one does it", async () => {
  const { runId } = await worked("stopped");
  const answers = await Promise.all(Array.from({ length: 5 }, () => undo(runId)));
  expect(answers.map(({ status: code }) => code)).toEqual([200, 200, 200, 200, 200]);
  expect(answers.filter(({ body }) => body.removed.count === 1)).toHaveLength(1);
});

test("nobody undoes another's run", async () => {
  const { runId } = await worked("canceled");
  expect((await undo(runId, {}, "", ben)).status).toBe(404);
});
