// Who wrote a document and where its text comes from, as the API tells it: people and runs, each once; a run of someone else without its objective.

import { expect, test } from "vitest";
import type { UserId } from "../../src/domain/identity/identity.ts";
import type { RunId } from "../../src/domain/run/run.ts";
import { updateEntity } from "../../src/store/entity/entity-store.ts";
import { insertRun } from "../helpers/run-rows.ts";
import { testApp } from "../helpers/test-app.ts";
import { makeWorld } from "../helpers/test-world.ts";

const app = await testApp();
const anna = await app.signUp("anna");
const ben = await app.signUp("ben");
const { projectId } = await makeWorld(app.admin, { [anna.id]: "owner", [ben.id]: "editor" });
const documents = `/api/projects/${projectId}/documents`;

/** Anna makes it, her run changes it twice, Ben once. */
async function makeDocument() {
  const { body } = await app.call("POST", documents, anna.session, { body: { title: "Page" } });
  const id: string = body.id;
  const runId = (await insertRun(app.admin, anna.id)) as RunId;
  for (const version of [1, 2])
    await app.db.asUser({ userId: anna.id as UserId, runId }, (tx) =>
      updateEntity(tx, "document", { id, projectId, version }, { content: `version ${version + 1}` }),
    );
  await app.call("PATCH", `${documents}/${id}`, ben.session, { body: { version: 3, content: "by Ben" } });
  return { id, runId };
}

test("people and runs are told in the order of their first write, with how often they wrote", async () => {
  const { id, runId } = await makeDocument();
  const { body } = await app.call("GET", `${documents}/${id}/authors`, anna.session);
  expect(body.items).toMatchObject([
    { run_id: null, actor_id: anna.id, changes: 1, run_objective: null },
    { run_id: runId, actor_id: null, changes: 2, run_objective: expect.any(String) },
    { run_id: null, actor_id: ben.id, changes: 1, run_objective: null },
  ]);
});

test("another member's run is named without its objective", async () => {
  const { id, runId } = await makeDocument();
  const { body } = await app.call("GET", `${documents}/${id}/authors`, ben.session);
  expect(body.items[1]).toMatchObject({ run_id: runId, run_objective: null });
});

test("the mark that a text comes from the web survives an edit of its props, also of a project's", async () => {
  const { body } = await app.call("POST", documents, anna.session, { body: { title: "Copied" } });
  const mark = { source: "web", run_id: body.id };
  for (const [table, id] of [
    ["onto_documents", body.id],
    ["onto_projects", projectId],
  ])
    await app.admin.query(`update homework.${table} set props = $1 where id = $2`, [{ homework: mark }, id]);
  const props = { colour: "red", homework: { source: "own" } };
  const edited = await app.call("PATCH", `${documents}/${body.id}`, anna.session, { body: { version: 1, props } });
  expect(edited.body.props).toEqual({ colour: "red", homework: mark });
  const project = await app.call("PATCH", `/api/projects/${projectId}`, anna.session, { body: { version: 1, props } });
  expect(project.body.props).toEqual({ colour: "red", homework: mark });
});
